import TrackEngine

/// The labels that the footnotes of a Word document get in Markdown, in the order in which the document refers to them.
struct NoteLabels {
  let names: [String]

  /// Makes numbers of them, from 1.
  init(of document: WordDocument) { names = document.notes.indices.map { "\($0 + 1)" } }

  /// Those that the footnotes have in a text of which the document was made; numbers if it has not as many.
  ///
  /// - Parameters:
  ///   - document: The document.
  ///   - text: The text, with marks.
  init(of document: WordDocument, madeOf text: [UInt8]) {
    let reading = Reading(of: text, as: Pandoc.language)
    var references: [Int: String] = [:]
    var defined: Set<String> = []
    for variant in [Variant.original, .clean] {
      let side = VariantText(variant, of: text, reading)
      for marker in NoteMarker.all(in: side.bytes, Reading(of: side.bytes, as: Pandoc.language)) {
        if marker.isDefinition {
          defined.insert(marker.label)
        } else {
          references[side.hull(of: marker.range).lowerBound] = marker.label
        }
      }
    }
    let names = references.sorted { $0.key < $1.key }.map(\.value).filter(defined.contains)
    self = names.count == document.notes.count ? NoteLabels(names) : NoteLabels(of: document)
  }

  private init(_ names: [String]) { self.names = names }

  /// The labels of a copy that somebody edited: footnotes that are still there keep theirs, and others get new ones.
  ///
  /// - Parameters:
  ///   - copy: The copy.
  ///   - document: The document that was copied, which has these labels.
  ///   - new: Gives the others theirs.
  /// - Returns: The labels.
  func labels(
    of copy: WordDocument,
    copiedFrom document: WordDocument,
    others new: inout NewNoteLabels
  ) -> NoteLabels {
    let (some, others) = (document.noteTexts, copy.noteTexts)
    var known: [Int: String] = [:]
    /// Names the footnotes of a stretch that are the same in both, and returns the stretches between them.
    func name(_ stretch: Difference, by text: (WordDocument.NoteText) -> String) -> [Difference] {
      let (old, new) = (some[stretch.old].map(text), others[stretch.new].map(text))
      let pairs = commonPairs(old, new) ?? []
      for pair in pairs {
        known[stretch.new.lowerBound + pair.new] = names[stretch.old.lowerBound + pair.old]
      }
      return differences(between: pairs, old.count, new.count).map {
        Difference(
          $0.old.moved(by: stretch.old.lowerBound),
          $0.new.moved(by: stretch.new.lowerBound)
        )
      }
    }
    let all = Difference(some.indices, others.indices)
    let rest = name(all, by: \.before).flatMap { name($0, by: \.all) }
    for stretch in rest where stretch.old.count == stretch.new.count {
      for (note, other) in zip(stretch.new, stretch.old) { known[note] = names[other] }
    }
    new.beginCopy(besides: names)
    return NoteLabels(
      others.indices.map { known[$0] ?? new.label(of: others[$0].all) }
    )
  }
}

/// The labels of footnotes that several copies of a text have and the text has not, in Markdown and in Word.
///
/// No other footnote has one of them; those that are the same in two copies have one.
struct NewNoteLabels {
  private var taken: Set<String>
  /// Those of the text that was copied.
  private let known: Set<String>
  /// The new footnotes of the copies in Markdown so far.
  private var notes: [(label: String, text: [UInt8])] = []
  /// The number from which on one may be free.
  private var next = 1
  /// Those that were given, by the text of the footnote and how many of the same text come before it in its copy.
  private var given: [String: [String]] = [:]
  /// How many footnotes of a text the copy has so far.
  private var counts: [String: Int] = [:]

  /// Creates labels, of which none is given yet.
  ///
  /// - Parameters:
  ///   - base: The text that was copied.
  ///   - texts: The copies in Markdown.
  ///   - language: Their language.
  init(besides base: [UInt8], _ texts: [[UInt8]], as language: Language) {
    func labels(of text: [UInt8]) -> [String] {
      NoteMarker.all(in: text, Reading(of: text, as: language)).map(\.label)
    }
    known = Set(labels(of: base))
    taken = known.union(texts.flatMap(labels))
  }

  /// A copy in Markdown in which new footnotes have no label that another one of an earlier copy has.
  mutating func separating(_ copy: [UInt8], as language: Language) -> [UInt8] {
    guard language == .markdown else { return copy }
    let reading = Reading(of: copy, as: language)
    let clean = reading.text(.clean, of: copy)
    let earlier = notes
    var names: [String: String] = [:]
    for marker in NoteMarker.all(in: clean, Reading(of: clean, as: language))
    where marker.isDefinition && !known.contains(marker.label) && names[marker.label] == nil {
      let definition = clean[marker.range.lowerBound...]
      let text = Array(clean[marker.range.upperBound..<definition.endOfDefinition])
      func isFree(_ label: String) -> Bool { !names.values.contains(label) }
      let isOther = earlier.contains { $0.label == marker.label && $0.text != text }
      var name = marker.label
      if isOther || !isFree(name) {
        name = earlier.first { $0.text == text && isFree($0.label) }?.label ?? nextLabel()
      }
      names[marker.label] = name
      notes.append((name, text))
    }
    let markers = NoteMarker.all(in: copy, reading)
    return copy.applying(
      markers.compactMap { marker in
        guard let name = names[marker.label], name != marker.label else { return nil }
        return Edit(marker.range, Array("[^\(name)]".utf8))
      }
    )
  }

  /// Goes on with the next copy, which has some labels already.
  fileprivate mutating func beginCopy(besides labels: [String]) {
    taken.formUnion(labels)
    counts = [:]
  }

  /// The label of the next footnote of a text; without a text footnotes count as different, as those with an image do.
  fileprivate mutating func label(of text: String) -> String {
    let isShared = text.contains { !$0.isWhitespace }
    let count = counts[text, default: 0]
    counts[text] = count + 1
    if isShared, let known = given[text], count < known.count { return known[count] }
    let label = nextLabel()
    given[text, default: []].append(label)
    return label
  }

  /// A label that no footnote has.
  private mutating func nextLabel() -> String {
    while taken.contains("\(next)") { next += 1 }
    let label = "\(next)"
    taken.insert(label)
    return label
  }
}
