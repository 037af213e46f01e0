/// Carries out effects, a slice at a time, so that no keystroke waits for a disk.
///
/// Invariant: only files and folders of `effect` are open.
struct EffectRunner {
  /// The path of the file of remembered choices; nil to remember nothing.
  let memory: String?

  private var effect: Effect?
  private var folder: FolderReader?
  private var listing = Listing()
  private var file: FileReader?
  private var attempts = 0

  /// How long to wait while another server holds the lock, in milliseconds.
  static let pause = 5
  /// How many times to try for the lock.
  private static let maxAttempts = 200
  private static let entriesPerSlice = 256
  private static let bytesPerSlice = 1 << 18
  /// Longer files are read only while they are open in the editor, in bytes.
  static let maxFileLength = 1 << 22

  init(memory: String?) {
    self.memory = memory
  }

  /// Whether to pause before the next slice.
  var isWaiting: Bool { attempts > 0 }

  /// Carries out one slice of an effect.
  ///
  /// - Parameter effect: The effect; the same in each call until its outcome is returned.
  /// - Returns: The outcome; nil if there is more to do.
  mutating func step(_ effect: Effect) -> EffectOutcome? {
    if effect != self.effect { begin(effect) }
    let result: EffectOutcome.Result?
    switch effect {
    case .list(let path): result = list(path)
    case .read(let path): result = read(path)
    case .idle: result = .idle
    case .recall: result = recall()
    case .remember(let choices): result = remember(choices)
    }
    guard let result else { return nil }
    begin(nil)
    return EffectOutcome(effect: effect, result: result)
  }

  private mutating func begin(_ effect: Effect?) {
    self.effect = effect
    folder = nil
    listing = Listing()
    file = nil
    attempts = 0
  }
}

// MARK: - Files

extension EffectRunner {
  private mutating func list(_ path: String) -> EffectOutcome.Result? {
    do throws(ReadingFailure) {
      if folder == nil { folder = try FolderReader(path, isStamping: true) }
      guard let reader = folder else { return nil }
      guard try !reader.readMore(EffectRunner.entriesPerSlice, into: &listing) else { return nil }
      listing.sort()
      return .listing(listing)
    } catch {
      return error.result
    }
  }

  private mutating func read(_ path: String) -> EffectOutcome.Result? {
    do throws(ReadingFailure) {
      if file == nil { file = try FileReader(path) }
      guard let reader = file else { return nil }
      let isMore = try reader.readMore(EffectRunner.bytesPerSlice)
      guard reader.bytes.count <= EffectRunner.maxFileLength else {
        return .failure("It is longer than \(EffectRunner.maxFileLength >> 20) MB")
      }
      return isMore ? nil : .text(EffectRunner.text(reader.bytes))
    } catch {
      return error.result
    }
  }

  /// The text as an editor would send it: valid UTF-8, without a byte order mark.
  private static func text(_ bytes: [UInt8]) -> [UInt8] {
    let hasMark = bytes.starts(with: [0xEF, 0xBB, 0xBF])
    return Array(String(decoding: bytes.dropFirst(hasMark ? 3 : 0), as: UTF8.self).utf8)
  }
}

extension ReadingFailure {
  fileprivate var result: EffectOutcome.Result {
    switch self {
    case .gone: .gone
    case .failed(let reason): .failure(reason)
    }
  }
}

// MARK: - Memory

extension EffectRunner {
  private func recall() -> EffectOutcome.Result {
    guard let memory, !Platform.isGone(memory) else { return .choices([:]) }
    do {
      return .choices(TrackingMemory(try Platform.contents(of: memory)).dictionary)
    } catch {
      return .failure(error.description)
    }
  }

  /// Keeps what other servers have written meanwhile, and drops documents that no longer exist.
  private mutating func remember(_ choices: [String: Bool]) -> EffectOutcome.Result? {
    guard let memory else { return .choices(choices) }
    do throws(Platform.Failure) {
      try Platform.makeFolders(above: memory, mode: 0o700)
      let remembered = try Platform.withLock("\(memory).lock") { () throws(Platform.Failure) in
        let old = Platform.isGone(memory) ? [] : try Platform.contents(of: memory)
        var new = TrackingMemory(old)
        new.prune { key in choices[key] == nil && filePath(of: key).map(Platform.isGone) != false }
        new.add(choices)
        if new.bytes != old {
          try Platform.replace(memory, isSafe: true) { output in
            new.bytes.withUnsafeBufferPointer { output.append($0) }
          }
        }
        return new.dictionary
      }
      if let remembered { return .choices(remembered) }
    } catch {
      return .failure(error.description)
    }
    attempts += 1
    return attempts < EffectRunner.maxAttempts
      ? nil : .failure("another program holds \(memory).lock")
  }
}
