"""Accepts or rejects the tracked changes of a Word document, by its XML alone."""
import copy, io, zipfile
import xml.etree.ElementTree as ET

W = '{http://schemas.openxmlformats.org/wordprocessingml/2006/main}'


def resolve(data, accept):
    source = zipfile.ZipFile(io.BytesIO(data))
    target = io.BytesIO()
    with zipfile.ZipFile(target, 'w') as out:
        for name in source.namelist():
            part = source.read(name)
            if name in ('word/document.xml', 'word/footnotes.xml', 'word/endnotes.xml'):
                for _, (prefix, uri) in ET.iterparse(io.BytesIO(part), ['start-ns']):
                    ET.register_namespace(prefix, uri)
                root = ET.fromstring(part)
                block(root, accept)
                for properties in root.iter(W + 'rPr'):
                    properties[:] = [c for c in properties if keeps(c.tag, accept) is None]
                part = ET.tostring(root)
            out.writestr(name, part)
    return target.getvalue()


def keeps(tag, accept):
    """True or False for a tracked element that stays or goes; None for any other."""
    if tag in (W + 'ins', W + 'moveTo'):
        return accept
    if tag in (W + 'del', W + 'moveFrom'):
        return not accept
    return None


def block(element, accept):
    children = []
    for child in list(element):
        kept = keeps(child.tag, accept)
        if kept is None:
            if child.tag == W + 'tr':
                row = child.find(W + 'trPr')
                if row is not None and any(keeps(c.tag, accept) is False for c in row):
                    continue
            if child.tag == W + 'tc':
                cell = child.find(W + 'tcPr')
                if cell is not None and cell.find(W + ('cellDel' if accept else 'cellIns')) is not None:
                    continue
            block(child, accept)
            if child.tag == W + 'tbl' and child.find(W + 'tr') is None:
                continue
            if child.tag == W + 'tr' and child.find(W + 'tc') is None:
                continue
            children.append(child)
        elif kept and element.tag not in (W + 'rPr', W + 'trPr'):
            block(child, accept)
            children += list(child)
    for child in children:
        if child.tag == W + 'delText':
            child.tag = W + 't'
        if child.tag == W + 'delInstrText':
            child.tag = W + 'instrText'
    if element.tag == W + 'rPr':
        # The marks of a paragraph are looked at when it is joined.
        children = [c for c in list(element) if c.tag != W + 'rPrChange']
    if element.tag == W + 'pPr' and not accept:
        change = element.find(W + 'pPrChange')
        old = change.find(W + 'pPr') if change is not None else None
        if old is not None:
            children = list(old) + [c for c in children if c.tag in (W + 'rPr', W + 'sectPr')]
    children = [c for c in children if not c.tag.endswith('Change')]
    element[:] = joined(children, accept)


def joined(children, accept):
    result, open_paragraph = [], None
    for child in children:
        if child.tag == W + 'p':
            if open_paragraph is not None:
                at = 1 if child.find(W + 'pPr') is not None else 0
                child[at:at] = [c for c in open_paragraph if c.tag != W + 'pPr']
                open_paragraph = None
            mark = child.find(W + 'pPr/' + W + 'rPr')
            gone = mark is not None and any(keeps(c.tag, accept) is False for c in mark)
            if gone:
                open_paragraph = child
                continue
        elif open_paragraph is not None and child.tag in (W + 'tbl', W + 'sectPr'):
            if any(c.tag != W + 'pPr' for c in open_paragraph):
                result.append(open_paragraph)
            open_paragraph = None
        result.append(child)
    if open_paragraph is not None and any(c.tag != W + 'pPr' for c in open_paragraph):
        result.append(open_paragraph)
    return result
