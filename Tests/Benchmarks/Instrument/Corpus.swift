/// The documents that are measured with, each beside its clean and its original text:
/// `sparse-1M.md`, `sparse-1M.clean.md` and `sparse-1M.original.md`.
///
/// Made anew in every checkout, always the same; what is there already is left alone.
struct Corpus {
  let folder: String
  /// No document is longer than about so many bytes.
  let longest: Int

  /// To be counted up when other documents come of the same names: old ones are made anew then.
  private static let recipe = Array("1\n".utf8)

  /// Makes what is missing.
  func make() throws {
    try File.makeFolder(folder)
    let recipe = "\(folder)/recipe"
    if try !File.exists(recipe) || File.read(recipe) != Corpus.recipe {
      _ = try ChildProcess(["rm", "-rf", folder], input: 0, output: 1).wait()
      try File.makeFolder(folder)
      try File.write(recipe, Corpus.recipe)
    }
    for (size, length) in Corpus.sizes where length <= longest {
      try make("sparse-\(size)", Prose.Style(spacing: 290), length)
      try make("dense-\(size)", Prose.Style(spacing: 104), length)
      guard length <= 10_000_000 else { continue }
      try make("unicode-\(size)", Prose.Style(spacing: 290, words: Prose.international), length)
      try make("crlf-\(size)", Prose.Style(spacing: 290, newline: "\r\n"), length)
    }
    // For the list of changes: 10,000 of them.
    try make("changes", Prose.Style(spacing: 290), Corpus.tenThousandMarks, marks: 10_000)
    if !File.exists("\(folder)/hostile-one-line.md") {
      for sample in Hostile.samples(of: 1_000_000) {
        try write("hostile-\(sample.name)", sample.markup, sample.clean, sample.original)
      }
    }
    if !File.exists("\(folder)/tree.original/39") { try makeTree() }
  }

  private static let sizes = [
    ("10K", 10_000), ("1M", 1_000_000), ("10M", 10_000_000), ("100M", 100_000_000),
  ]
  private static let tenThousandMarks = 4_000_000

  private func make(_ name: String, _ style: Prose.Style, _ length: Int, marks: Int = .max) throws {
    guard !File.exists("\(folder)/\(name).md") else { return }
    let prose = Prose(style, length: length, most: marks, seed: 1)
    try write(name, prose.markup, prose.clean, prose.original)
    try File.write("\(folder)/\(name).marks", Array("\(prose.marks)\n".utf8))
  }

  private func write(
    _ name: String,
    _ markup: [UInt8],
    _ clean: [UInt8],
    _ original: [UInt8]
  ) throws {
    try File.write("\(folder)/\(name).clean.md", clean)
    try File.write("\(folder)/\(name).original.md", original)
    // Last, for it tells that the others are there.
    try File.write("\(folder)/\(name).md", markup)
  }

  /// 2,000 files of 1 to 20 KB, 20.5 MB in all, in 40 folders.
  private func makeTree() throws {
    var random = Random(seed: 2)
    for tree in ["tree", "tree.clean", "tree.original"] { try File.makeFolder("\(folder)/\(tree)") }
    for part in 0..<40 {
      for tree in ["tree", "tree.clean", "tree.original"] {
        try File.makeFolder("\(folder)/\(tree)/\(part)")
      }
      for number in 0..<50 {
        let length = 500 + random.below(19_250)
        let prose = Prose(Prose.Style(spacing: 290), length: length, seed: random.next())
        let name = "\(part)/chapter-\(number).md"
        try File.write("\(folder)/tree/\(name)", prose.markup)
        try File.write("\(folder)/tree.clean/\(name)", prose.clean)
        try File.write("\(folder)/tree.original/\(name)", prose.original)
      }
    }
  }
}
