"""Writes Word documents as Word writes them, with tracked changes at random places."""
import io, random, zipfile
from xml.sax.saxutils import escape

NAMESPACES = ('xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" '
              'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" '
              'xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml" '
              'xmlns:w15="http://schemas.microsoft.com/office/word/2012/wordml"')
TYPES = '''<?xml version="1.0" encoding="UTF-8"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/><Override PartName="/word/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.styles+xml"/><Override PartName="/word/numbering.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.numbering+xml"/><Override PartName="/word/comments.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.comments+xml"/><Override PartName="/word/footnotes.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.footnotes+xml"/></Types>'''
RELS = '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>'
DOCUMENT_RELS = '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">' + ''.join(
    f'<Relationship Id="rId{i}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/{t}" Target="{t}.xml"/>'
    for i, t in enumerate(('styles', 'numbering', 'comments', 'footnotes'), 1)) + '</Relationships>'
STYLES = f'<w:styles {NAMESPACES}>' + ''.join(
    f'<w:style w:type="paragraph" w:styleId="Heading{n}"><w:name w:val="heading {n}"/></w:style>' for n in (1, 2)
) + '<w:style w:type="character" w:styleId="VerbatimChar"><w:name w:val="Verbatim Char"/></w:style></w:styles>'
NUMBERING = f'<w:numbering {NAMESPACES}><w:abstractNum w:abstractNumId="0">' + ''.join(
    f'<w:lvl w:ilvl="{n}"><w:numFmt w:val="bullet"/><w:lvlText w:val="-"/></w:lvl>' for n in range(3)
) + '</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num></w:numbering>'

WORDS = ('the red hen went to town and said that this is a *star* under_score 1. + - # over; “quoted” '
         'it’s naïve 漢字 {++ ++} {==x==} &amp; `tick` [link](x) ^ ~ ~~ $5 \\ word <b> fin.').split(' ')
FORMATS = ['', '', '', '', '<w:b/>', '<w:i/>', '<w:b/><w:i/>', '<w:rStyle w:val="VerbatimChar"/>', '<w:strike/>']
PEOPLE = ['Anna Lee', 'bob', 'Carol']


class Writer:
    def __init__(self, seed, people=3):
        self.random = random.Random(seed)
        self.people = PEOPLE[:people]
        self.id = 0
        self.comments = []
        self.notes = []
        self.open = []

    def chance(self, part):
        return self.random.random() < part

    def change(self, name, content=''):
        self.id += 1
        who = self.random.choice(self.people)
        return (f'<w:{name} w:id="{self.id}" w:author="{who}" w:date="2026-11-{10 + self.id % 15}T10:00:00Z">'
                f'{content}</w:{name}>')

    def text(self):
        words = [self.random.choice(WORDS) for _ in range(self.random.randint(1, 4))]
        left = ' ' if self.chance(.5) else ''
        return left + ' '.join(words) + (' ' if self.chance(.4) else '')

    def run(self, tag='t', text=None):
        text = self.text() if text is None else text
        form = self.random.choice(FORMATS)
        rpr = f'<w:rPr>{form}</w:rPr>' if form else ''
        return f'<w:r>{rpr}<w:{tag} xml:space="preserve">{escape(text)}</w:{tag}></w:r>'

    def piece(self):
        kind = self.random.random()
        if kind < .55:
            return self.run()
        if kind < .7:
            return self.change('ins', ''.join(self.run() for _ in range(self.random.randint(1, 2))))
        if kind < .85:
            return self.change('del', ''.join(self.run('delText') for _ in range(self.random.randint(1, 2))))
        if kind < .9:
            return self.change('ins', self.run() + self.change('del', self.run('delText')))
        if kind < .93 and not self.open:
            number = len(self.comments)
            self.comments.append(f'remark {number}')
            self.open.append(number)
            return f'<w:commentRangeStart w:id="{number}"/>'
        if kind < .96 and self.open:
            return self.close()
        if kind < .97:
            number = len(self.notes) + 1
            self.notes.append(self.text())
            reference = f'<w:r><w:footnoteReference w:id="{number}"/></w:r>'
            return self.random.choice([reference, self.change('ins', reference), self.change('del', reference)])
        return self.run()

    def close(self):
        number = self.open.pop()
        return f'<w:commentRangeEnd w:id="{number}"/><w:r><w:commentReference w:id="{number}"/></w:r>'

    def paragraph(self, last=False):
        style = self.random.choice(['', '', '', '', '<w:pStyle w:val="Heading1"/>', '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>', '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>'])
        mark = ''
        if not last and self.chance(.3):
            mark = '<w:rPr>' + self.change(self.random.choice(['ins', 'del'])) + '</w:rPr>'
        whole = self.random.random()
        count = self.random.randint(0, 5)
        if whole < .1:
            content = self.change('ins', ''.join(self.run() for _ in range(count)))
            mark = '' if last else '<w:rPr>' + self.change('ins') + '</w:rPr>'
        elif whole < .2:
            content = self.change('del', ''.join(self.run('delText') for _ in range(count)))
            mark = '' if last else '<w:rPr>' + self.change('del') + '</w:rPr>'
        else:
            content = ''.join(self.piece() for _ in range(count))
        old = self.random.choice(['', '', '', '', '', '', self.change('pPrChange', '<w:pPr><w:pStyle w:val="Heading2"/></w:pPr>')])
        properties = style + mark + old
        return f'<w:p>{"<w:pPr>" + properties + "</w:pPr>" if properties else ""}{content}</w:p>'

    def table(self):
        rows = ''
        for _ in range(self.random.randint(2, 3)):
            tracked = self.random.choice(['', '', '', '<w:trPr>' + self.change('ins') + '</w:trPr>', '<w:trPr>' + self.change('del') + '</w:trPr>'])
            rows += '<w:tr>' + tracked + ''.join(f'<w:tc><w:p>{self.run()}{self.change("ins", self.run())}</w:p></w:tc>' for _ in range(2)) + '</w:tr>'
        return f'<w:tbl><w:tblGrid><w:gridCol/><w:gridCol/></w:tblGrid>{rows}</w:tbl>'

    def document(self):
        blocks = []
        for _ in range(self.random.randint(1, 8)):
            blocks.append(self.table() if self.chance(.06) else self.paragraph())
        end = self.paragraph(last=True)
        if self.open:
            end = end[:-len('</w:p>')] + self.close() + '</w:p>'
        blocks.append(end)
        return self.holding(''.join(blocks))

    def holding(self, body):
        """A document whose body is given, with the comments and notes of this writer."""
        parts = {
            '[Content_Types].xml': TYPES, '_rels/.rels': RELS, 'word/_rels/document.xml.rels': DOCUMENT_RELS,
            'word/styles.xml': STYLES, 'word/numbering.xml': NUMBERING,
            'word/document.xml': f'<w:document {NAMESPACES}><w:body>{body}</w:body></w:document>',
            'word/comments.xml': f'<w:comments {NAMESPACES}>' + ''.join(
                f'<w:comment w:id="{i}" w:author="{self.people[i % len(self.people)]}" w:date="2026-11-20T10:00:00Z"><w:p w14:paraId="{i:08X}"><w:r><w:t>{c}</w:t></w:r></w:p></w:comment>'
                for i, c in enumerate(self.comments)) + '</w:comments>',
            'word/footnotes.xml': f'<w:footnotes {NAMESPACES}>' + ''.join(
                f'<w:footnote w:id="{i}"><w:p><w:r><w:t xml:space="preserve">{escape(n)}</w:t></w:r></w:p></w:footnote>'
                for i, n in enumerate(self.notes, 1)) + '</w:footnotes>',
        }
        data = io.BytesIO()
        with zipfile.ZipFile(data, 'w', zipfile.ZIP_DEFLATED) as out:
            for name, part in parts.items():
                out.writestr(name, part)
        return data.getvalue()
