/// Texts that are made to be dear: what backtracking and rescanning readers need minutes for.
enum Hostile {
  /// A text by name, with the texts that it exports to.
  struct Sample {
    var name: String
    var markup: [UInt8]
    var clean: [UInt8]
    var original: [UInt8]

    init(_ name: String, _ markup: [UInt8], clean: [UInt8]? = nil, original: [UInt8]? = nil) {
      self.name = name
      self.markup = markup
      self.clean = clean ?? markup
      self.original = original ?? markup
    }
  }

  /// All of them, each of about `length` bytes.
  static func samples(of length: Int) -> [Sample] {
    func repeated(_ unit: String) -> [UInt8] {
      let unit = Array(unit.utf8)
      return Array((0..<length / unit.count).map { _ in unit }.joined())
    }
    // Nothing here closes, so that nothing here is a mark.
    let unclosed = [
      ("additions", "{++"), ("deletions", "{--"), ("substitutions", "{~~"),
      ("kinds", "{++a {--b {~~c {>>d {==e "), ("half-substitutions", "{~~a~>b "),
      ("almost-substitutions", "{~~a~>b~~ "), ("almost-additions", "{++a++ ["),
      ("blanks", "{++a++ \t"), ("closers", "++} --} ~~} <<} ==} "), ("braces", "{"),
      ("tildes", "~"), ("fences", "{++a\n```\nb\n\n"), ("tilde-fences", "{--a\n~~~\n{++b ```\n"),
    ]
    let line = Prose(Prose.Style(spacing: 290, newline: " "), length: length, seed: 4)
    return unclosed.map { Sample($0.0, repeated($0.1)) }
      + [
        Sample("arrows", Array("{~~".utf8) + repeated("a~>")), nested(length), pairs(length),
        Sample("backticks", backticks(length)),
        Sample("one-line", line.markup, clean: line.clean, original: line.original),
      ]
  }

  /// Additions and highlights in one another, as deep as it goes.
  private static func nested(_ length: Int) -> Sample {
    let depth = length / 14
    var markup: [UInt8] = []
    var clean: [UInt8] = []
    for _ in 0..<depth {
      markup += Array("{++a{==".utf8)
      clean += Array("a".utf8)
    }
    for _ in 0..<depth {
      markup += Array("==}b++}".utf8)
      clean += Array("b".utf8)
    }
    return Sample("nested", markup, clean: clean, original: [])
  }

  /// Many small nests beside each other.
  private static func pairs(_ length: Int) -> Sample {
    let count = length / 20
    func repeated(_ unit: String) -> [UInt8] {
      Array((0..<count).map { _ in Array(unit.utf8) }.joined())
    }
    return Sample(
      "nested-pairs",
      repeated("{==a{++b{--c--}++}==}"),
      clean: repeated("ab"),
      original: repeated("a")
    )
  }

  /// Runs of backticks, each longer than the one before, so that none closes another.
  private static func backticks(_ length: Int) -> [UInt8] {
    var text: [UInt8] = []
    var run = 1
    while text.count < length {
      text += Array("a ".utf8)
      text += [UInt8](repeating: UInt8(ascii: "`"), count: run)
      text += Array(" {++".utf8)
      run += 1
    }
    return text
  }
}
