import TrackEngine

/// The review of a file that its writer has open, or will open, as seen from a program that waits for it.
struct AwaitedReview {
  /// The texts that ``ReviewReport`` is made of.
  let texts: [[UInt8]]
  /// Whether the writer has said that it is done.
  let isDone: Bool

  /// How often ``init(of:by:within:mayGoOn:)`` asks whether to go on, and looks for an editor, in milliseconds.
  private static let pause = 500
  /// How long a server may take to answer at the end, in milliseconds.
  private static let patience = 5000

  /// Waits until the writer says that the review is done.
  ///
  /// The file need not be open yet, and may be closed and opened again meanwhile.
  /// - Parameters:
  ///   - place: The file.
  ///   - author: Who waits; the writer is told.
  ///   - patience: How long at most, in milliseconds; nil if as long as it takes.
  ///   - mayGoOn: Asked twice a second, with what is waited for; returns false to end the wait.
  /// - Throws: `Platform.Failure` if the file cannot be read.
  init(
    of place: FilePlace,
    by author: AuthorName?,
    within patience: Int?,
    mayGoOn: (_ isOpen: Bool) -> Bool
  ) throws(Platform.Failure) {
    let deadline = patience.map { Platform.now + $0 }
    // What a server knows that has seen the proposals is more.
    let before = try place.shownContents()
    var owner: FileOwner?
    while true {
      if owner == nil, let file = place.number {
        owner = FileOwner.find(file, forReview: true)
        owner?.askForReview(waits: true, by: author)
      }
      guard mayGoOn(owner != nil) else { break }
      let next = min(deadline ?? Int.max, Platform.now + AwaitedReview.pause)
      switch owner?.reviewAnswer(before: next) {
      case .texts(let texts, let isDone)?:
        self.init(texts, isDone, before)
        return
      case .timeout?: break
      case .closed?, nil:
        owner = nil
        Platform.sleep(max(0, next - Platform.now))
      }
      if Platform.now >= deadline ?? Int.max { break }
    }
    try self.init(now: place, before)
  }

  /// How far the review is now.
  private init(now place: FilePlace, _ before: [UInt8]) throws(Platform.Failure) {
    if let owner = place.number.flatMap({ FileOwner.find($0, forReview: true) }) {
      owner.askForReview(waits: false, by: nil)
      if case .texts(let texts, _) = owner.reviewAnswer(
        before: Platform.now + AwaitedReview.patience
      ) {
        self.init(texts, false, before)
        return
      }
    }
    self.init([try place.markedContents()], false, before)
  }

  private init(_ texts: [[UInt8]], _ isDone: Bool, _ before: [UInt8]) {
    self.texts = texts.count == 1 ? [before] + texts : texts
    self.isDone = isDone
  }
}
