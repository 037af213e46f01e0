/// What has to be known of a whole text to read it block by block; found by reading it once, a window at a time.
///
///     while let window = survey.window { survey.read(bytes(of: window)) }
///
/// Linear. Its size depends on the footnotes and on the marks that refer to them, not on the text.
public struct TextSurvey: Sendable {
  private var state: State
  /// The cutter before the first block.
  private let start: BlockCutter
  /// The states to go back to.
  private var checkpoints: [Checkpoint] = []

  /// What is known of the blocks so far.
  private struct State {
    var cutter: BlockCutter
    /// How much to read for the blocks that need more than usual, by where they begin; in bytes.
    var lengths: [Int: Int] = [:]
    var footnotes = Footnotes()
    /// The references to footnotes that are in the tails of marks.
    var referring = ReferenceCounts()
    var references = ReferenceCounts()
  }

  /// The state before a block that has something which later ones can reach.
  private struct Checkpoint {
    var state: State
    var open: BlockCutter.Reach
  }

  /// Begins a text.
  ///
  /// - Parameters:
  ///   - count: Its length, in bytes.
  ///   - language: Its language.
  ///   - findsMalformed: Whether what is malformed in a block has to be found in it alone.
  ///   - window: How much to read at a time, in bytes, unless no block ends in it.
  public init(count: Int, language: Language, findsMalformed: Bool, window: Int = 1 << 18) {
    self.init(
      count: count,
      language: language,
      findsMalformed: findsMalformed,
      window: window,
      grain: Cutting.usualGrain
    )
  }

  /// The same with windows of a length, cut into passages of at least `grain` bytes.
  init(
    count: Int,
    language: Language,
    findsMalformed: Bool,
    window: Int,
    grain: Int
  ) {
    state = State(
      cutter: BlockCutter(
        count: count,
        language: language,
        findsMalformed: findsMalformed,
        window: window,
        grain: grain
      )
    )
    start = state.cutter
  }

  /// The stretch of the text to read next; nil at its end.
  public var window: Range<Int>? { state.cutter.window }
  /// The footnotes in which ChangeDown keeps attributions.
  public var footnotes: Footnotes { state.footnotes }

  /// Reads the stretch.
  public mutating func read(_ bytes: [UInt8]) {
    bytes.withUnsafeBufferPointer { read($0) }
  }

  private mutating func read(_ bytes: Bytes) {
    let before = state
    switch state.cutter.cut(bytes) {
    case .tooShort: break
    case .reached(let reach): goBack(reach, from: before.cutter.start + bytes.count)
    case .cut(let cut):
      add(cut, of: Bytes(rebasing: bytes[..<cut.end]))
      let (old, new) = (before.cutter.open, state.cutter.open)
      var open = BlockCutter.Reach()
      open.text = new.text.subtracting(old.text)
      open.clean = new.clean.subtracting(old.clean)
      // The newest opener is the one that the next closer is for.
      open.isUndivided = cut.isUndivided
      keep(Checkpoint(state: before, open: open))
    }
  }

  private mutating func keep(_ checkpoint: Checkpoint) {
    if checkpoint.open.isEmpty { return }
    // Of the openers of undivided substitutions only the last one is reached.
    if checkpoint.open.isUndivided, checkpoints.last?.open.hasKinds == false {
      checkpoints.removeLast()
    }
    checkpoints.append(checkpoint)
  }

  /// The cutter before the first block, once the whole text has been read.
  var cutter: BlockCutter {
    var cutter = start
    cutter.isSure = true
    return cutter
  }

  /// How much to read for a block that needs more than usual; nil for most.
  func length(at start: Int) -> Int? { state.lengths[start] }

  /// Whether a footnote is left out of the clean text: if only marks refer to it.
  func isLeftOut(_ id: Slice<Bytes>) -> Bool {
    state.referring.hold(all: id, of: state.references)
  }

  private mutating func add(_ cut: BlockCutter.Cut, of block: Bytes) {
    guard block.caret(from: 0) < block.count else { return }
    state.footnotes.add(block)
    state.referring.add(cut.reading.marks, in: block)
    state.references.add(block.spelledReferences)
  }

  /// Goes back to the first block that is reached, and reads as much at once as it takes to come here again and further, so
  /// that the work stays linear.
  private mutating func goBack(_ reach: BlockCutter.Reach, from end: Int) {
    let kinds = checkpoints.firstIndex { checkpoint in
      !checkpoint.open.text.isDisjoint(with: reach.text)
        || !checkpoint.open.clean.isDisjoint(with: reach.clean)
    }
    let undivided = reach.isUndivided ? checkpoints.lastIndex(where: \.open.isUndivided) : nil
    guard let index = [kinds, undivided].compactMap(\.self).min() else {
      preconditionFailure("an opener was seen")
    }
    state = checkpoints[index].state
    checkpoints.removeSubrange(index...)
    // More than the last time too: what is read may have been different where the window ended.
    let last = state.lengths[state.cutter.start] ?? 0
    state.cutter.length = 2 * max(end - state.cutter.start, last)
    state.lengths[state.cutter.start] = state.cutter.length
  }
}
