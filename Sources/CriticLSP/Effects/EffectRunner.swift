import TrackEngine

/// Carries out effects, a slice at a time, so that no keystroke waits for a disk.
///
/// Invariant: only files and folders of `effect` are open. What has a thread of its own goes on while other effects are carried out.
struct EffectRunner {
  /// Where baselines are kept; nil to keep none.
  private let baselines: BaselineFolder?

  private var effect: Effect?
  private var folder: FolderReader?
  private var listing = Listing()
  private var file: FileReader?
  private var git: BackgroundProgram?
  private var comparison = OngoingWork<Effect.Comparing, MissedChanges?>()
  private var reading = OngoingWork<Effect.ReadingBeside, SidecarReading?>()
  private var recording = OngoingWork<Effect.RecordingBeside, RecordedBeside?>()
  private var attempts = 0

  /// How long to wait while another server holds the lock, or a program has written nothing, in milliseconds.
  static let pause = 5
  /// How many times to try for the lock.
  private static let maxAttempts = 200
  private static let entriesPerSlice = 256
  private static let bytesPerSlice = 1 << 18
  /// Longer files are read only while they are open in the editor, in bytes.
  static let maxFileLength = 1 << 22

  /// Makes a runner.
  ///
  /// - Parameter baselines: The folder to keep baselines in; nil to keep none.
  init(baselines: Path?) {
    self.baselines = baselines.map { BaselineFolder(path: $0) }
  }

  /// Whether to pause before the next slice.
  var isWaiting: Bool {
    attempts > 0 || git != nil || comparison.isBegun || reading.isBegun || recording.isBegun
  }

  /// Carries out one slice of an effect.
  ///
  /// - Parameter effect: The effect; the same in each call until its outcome is returned.
  /// - Returns: The outcome; nil if there is more to do.
  mutating func step(_ effect: Effect) -> EffectOutcome? {
    if effect != self.effect { begin(effect) }
    let result: EffectOutcome.Result?
    switch effect {
    case .findIgnored(let path): result = findIgnored(in: path)
    case .list(let path): result = list(path)
    case .read(let path): result = withSidecar(read(path), of: path)
    case .readContent(let path, let folder):
      result = withSidecar(read(path, within: folder), of: path)
    case .nameWriter(let folder): result = .name(WriterName.find(in: folder))
    case .idle: result = .idle
    case .recall(let key, let text): result = recall(key, text)
    case .findMarks(let key): result = .found(nil, EffectRunner.marks(of: key))
    case .keep(let kept): result = keep(kept)
    case .writeRecord(let record): result = EffectRunner.write(record)
    case .moveSidecar(let old, let new): result = EffectRunner.moveSidecar(from: old, to: new)
    case .findOrphan(let path): result = EffectRunner.findOrphan(of: path)
    case .compare(let comparing):
      result = comparison.result(of: comparing) { comparing.missed }.map { .missed($0) }
    case .readBeside(let wanted):
      result = reading.result(of: wanted) { wanted.found }.map { .marks($0) }
    case .recordBeside(let wanted):
      result = recording.result(of: wanted) { wanted.recorded }.map { .recorded($0) }
    case .look(let key, let stamp): result = look(key, unless: stamp)
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
    git = nil
    attempts = 0
  }
}

// MARK: - Files

extension EffectRunner {
  /// Nothing is ignored if there is no git, or no repository.
  private mutating func findIgnored(in folder: Path) -> EffectOutcome.Result? {
    do throws(Platform.Failure) {
      if git == nil { git = try gitBeside(IgnoredPaths.arguments(in: folder)) }
      guard let git, let isDone = git.readMore(EffectRunner.bytesPerSlice) else { return nil }
      return .ignored(isDone ? IgnoredPaths(output: git.output) : IgnoredPaths())
    } catch {
      return .ignored(IgnoredPaths())
    }
  }

  private mutating func list(_ path: Path) -> EffectOutcome.Result? {
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

  /// Another file is read as a whole, since it has to be a text that an editor shows.
  private mutating func look(_ key: DocumentKey, unless stamp: FileStamp?) -> EffectOutcome.Result?
  {
    guard let path = key.path, let now = Platform.stamp(of: path) else { return .gone }
    guard let stamp, stamp != now else { return .stamp(now, nil) }
    switch read(path) {
    case .text(let text, _): return .stamp(now, TextHash(of: text))
    case let other: return other
    }
  }

  private mutating func read(_ path: Path, within folder: Path?) -> EffectOutcome.Result? {
    if file == nil, let folder {
      guard let real = Platform.realPath(of: path) else { return .gone }
      guard let inside = Platform.realPath(of: folder), real.from(inside) != nil else {
        return .failure("It lies outside of \(folder)")
      }
    }
    return read(path)
  }

  private mutating func read(_ path: Path) -> EffectOutcome.Result? {
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

  /// What a file holds, with the record that lies beside it.
  private func withSidecar(
    _ result: EffectOutcome.Result?,
    of path: Path
  ) -> EffectOutcome.Result? {
    guard case .text(let text, _)? = result else { return result }
    let record = EffectRunner.sidecar(of: .file(path), atMost: EffectRunner.maxFileLength)
    return .text(text, record)
  }

  /// The text as an editor would send it: valid UTF-8, without a byte order mark.
  static func text(_ bytes: [UInt8]) -> [UInt8] {
    Array(String(decoding: bytes.withoutByteOrderMark, as: UTF8.self).utf8)
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

// MARK: - Baselines

extension EffectRunner {
  private func recall(_ key: DocumentKey, _ text: TextHash) -> EffectOutcome.Result {
    let record = EffectRunner.sidecar(of: key)
    do throws(Platform.Failure) {
      return .found(try baselines?.find(key, text), record)
    } catch {
      return record == nil ? .failure(error.description) : .found(nil, record)
    }
  }

  private mutating func keep(_ kept: Effect.Kept) -> EffectOutcome.Result? {
    guard let baselines else { return .done }
    do throws(Platform.Failure) {
      if try baselines.keep(kept.baseline, isOpen: kept.isOpen, original: kept.original) {
        return .done
      }
    } catch {
      return .failure(error.description)
    }
    attempts += 1
    return attempts < EffectRunner.maxAttempts ? nil : .failure("another program holds the lock")
  }
}

/// What is worked out on a thread of its own, for one effect after another.
private struct OngoingWork<Wanted: Equatable, Value: Sendable> {
  private var begun: (for: Wanted, work: BackgroundWork<Value>)?

  var isBegun: Bool { begun != nil }

  /// What came of an effect, which is begun if another one was, or none; nil until it is done.
  mutating func result(of wanted: Wanted, _ body: @escaping @Sendable () -> Value) -> Value? {
    if begun?.for != wanted { begun = (wanted, BackgroundWork(body)) }
    guard let result = begun?.work.result else { return nil }
    begun = nil
    return result
  }
}
