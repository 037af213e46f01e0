/// Writes Markdown that looks like what people write, with marks in it, and keeps the clean and the
/// original text beside it: the truth that exports are checked against.
struct Prose {
  /// What kind of text it is.
  struct Style {
    /// From one mark to the next, in bytes.
    var spacing: Int
    var words = Prose.english
    var newline = "\n"
  }

  private(set) var markup: [UInt8] = []
  private(set) var clean: [UInt8] = []
  private(set) var original: [UInt8] = []
  private(set) var marks = 0

  private let style: Style
  private let most: Int
  private let words: [[UInt8]]
  private var random: Random
  private var nextMark: Int
  private var kind = 0
  /// Where the line begins that is being written, and whether it is wrapped.
  private var line = 0
  private var isWrapped = true

  /// Text of about `length` bytes, or shorter where it has `most` marks before.
  init(_ style: Style, length: Int, most: Int = .max, seed: UInt64) {
    self.most = most
    self.style = style
    words = style.words.split(separator: " ").map { Array($0.utf8) }
    random = Random(seed: seed)
    nextMark = style.spacing
    markup.reserveCapacity(length + 4096)
    clean.reserveCapacity(length)
    original.reserveCapacity(length)
    while markup.count < length, marks < most { block() }
  }

  private mutating func block() {
    switch random.below(20) {
    case 0, 1:
      put("## ")
      sentence(3 + random.below(4), end: "")
    case 2:
      for _ in 0..<2 + random.below(4) {
        put("- ")
        sentence(4 + random.below(8), end: ".")
        newline()
      }
    case 3:
      put("```")
      newline()
      for _ in 0..<1 + random.below(4) {
        put("let \(random.below(1000)) = value[\(random.below(100))] + 1")
        newline()
      }
      put("```")
    default:
      isWrapped = random.below(3) > 0
      for index in 0..<2 + random.below(5) {
        if index > 0 { space() }
        sentence(6 + random.below(18), end: ".")
      }
      isWrapped = false
    }
    newline()
    newline()
  }

  private mutating func sentence(_ length: Int, end: String) {
    for index in 0..<length {
      if index > 0 { space() }
      if random.below(80) == 0 {
        put("`")
        word()
        put("`")
      } else {
        word()
      }
      if marks < most, markup.count >= nextMark { mark() }
    }
    put(end)
  }

  /// The five kinds in turn, each with one to four words.
  private mutating func mark() {
    marks += 1
    nextMark += style.spacing / 2 + random.below(style.spacing)
    kind = (kind + 1) % 5
    switch kind {
    case 0: delimited("{++", "++}", in: .clean)
    case 1: delimited("{--", "--}", in: .original)
    case 2:
      put(" ")
      put("{~~", in: .markup)
      phrase(in: .original)
      put("~>", in: .markup)
      phrase(in: .clean)
      put("~~}", in: .markup)
    case 3:
      put(" ")
      put("{==", in: .markup)
      phrase(in: .both)
      put("==}", in: .markup)
    default: delimited("{>>", "<<}", in: .markup)
    }
  }

  private mutating func delimited(_ opener: String, _ closer: String, in texts: Texts) {
    put(opener, in: .markup)
    if texts != .markup { put(" ", in: texts) }
    phrase(in: texts)
    put(closer, in: .markup)
  }

  private mutating func phrase(in texts: Texts) {
    for index in 0..<1 + random.below(4) {
      if index > 0 { put(" ", in: texts) }
      word(in: texts)
    }
  }

  /// Common words are common: the first of the list come far more often than the last.
  private mutating func word(in texts: Texts = .both) {
    let place = random.below(1024) * random.below(1024) / 1024 * words.count / 1024
    put(words[place], in: texts)
  }

  private mutating func space() {
    if isWrapped, markup.count - line > 76 { newline() } else { put(" ") }
  }

  private mutating func newline() {
    put(style.newline)
    line = markup.count
  }

  /// The texts that something stands in, beside the marked-up one.
  private enum Texts {
    case both
    case clean
    case original
    case markup
  }

  private mutating func put(_ text: String, in texts: Texts = .both) {
    put(Array(text.utf8), in: texts)
  }

  private mutating func put(_ bytes: [UInt8], in texts: Texts) {
    markup += bytes
    if texts == .both || texts == .clean { clean += bytes }
    if texts == .both || texts == .original { original += bytes }
  }
}

extension Prose {
  /// Words by how common they are, more or less.
  static let english = """
    the of and to a in that it was he for on with as his had at she not be by but have you which \
    are this from they all were her would there one or so out their what when him who will more \
    into some said then now time could them than other only its about two after before these may \
    such man first any over like most made where through much years people little way down long \
    again never work still own see old house day hand night world against under last part same \
    water thought always while letter morning country window river chapter answer garden between \
    history question evening nothing perhaps another enough suddenly remember something language \
    certainly beautiful difference understand sentence afternoon everything difficult particular \
    conversation paragraph government development experience considerable unfortunately \
    responsibility extraordinary characteristically
    """

  /// Accents, both composed and not, Cyrillic, CJK, and emoji of one and of several scalars.
  static let international = """
    der die et le la の 是 在 и не über déjà naïve façade wąż żółw Ångström cafe\u{301} \
    re\u{301}sume\u{301} 言語 文章 日本語 编辑器 变化 修订 テキスト エディタ 문서 편집기 привет письмо слово \
    編集者が文章を直す 这是一个句子 👍 🎉 👩‍💻 🇩🇪 👨‍👩‍👧‍👦 ✍️ Übersetzung garçon señor smörgåsbord \
    Ελληνικά עברית العربية हिन्दी ไทย
    """
}
