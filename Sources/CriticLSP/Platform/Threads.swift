import CLibrary

extension Platform {
  /// How many threads can run at once.
  static var processors: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

  /// Calls a closure for every number in a range, on several threads.
  ///
  /// - Parameters:
  ///   - range: The numbers.
  ///   - count: The number of threads, including this one.
  ///   - body: Called on any of the threads.
  ///   - afterEach: Told how many are done; called on any of the threads, by one at a time.
  /// - Returns: The results, in order.
  static func map<Value: Sendable>(
    _ range: Range<Int>,
    onThreads count: Int,
    _ body: @escaping @Sendable (Int) -> Value,
    afterEach: @escaping @Sendable (Int) -> Void = { _ in }
  ) -> [Value] {
    let work = Work(range, body, afterEach)
    let threads = (1..<max(1, min(count, range.count)))
      .compactMap { _ in startJoinableThread { work.run() } }
    work.run()
    for thread in threads { pthread_join(thread, nil) }
    return work.results.compactMap { $0 }
  }

  /// Starts a thread that nobody joins: what it took is given back when it ends.
  ///
  /// - Returns: Whether the system had one more.
  static func startThread(_ body: @escaping @Sendable () -> Void) -> Bool {
    guard let thread = startJoinableThread(body) else { return false }
    pthread_detach(thread)
    return true
  }

  private static func startJoinableThread(
    _ body: @escaping @Sendable () -> Void
  ) -> pthread_t? {
    let start = Unmanaged.passRetained(Start(body))
    #if canImport(Darwin)
      var thread: pthread_t?
    #else
      var thread = pthread_t()
    #endif
    let error = pthread_create(&thread, nil, Start.run, start.toOpaque())
    guard error == 0 else {
      start.release()
      return nil
    }
    return thread
  }

  /// The closure of a thread.
  private final class Start: Sendable {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) {
      self.body = body
    }

    #if canImport(Darwin)
      static let run: @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? = {
        Unmanaged<Start>.fromOpaque($0).takeRetainedValue().body()
        return nil
      }
    #else
      static let run: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = {
        if let start = $0 { Unmanaged<Start>.fromOpaque(start).takeRetainedValue().body() }
        return nil
      }
    #endif
  }

  /// The numbers still to do, and the results of the others.
  ///
  /// Invariant: `results` is read when all threads are done.
  private final class Work<Value: Sendable>: Sendable {
    private let range: Range<Int>
    private let body: @Sendable (Int) -> Value
    private let afterEach: @Sendable (Int) -> Void
    private let state: Guarded<State>

    private struct State {
      var results: [Value?]
      var next: Int
      var done = 0
    }

    init(
      _ range: Range<Int>,
      _ body: @escaping @Sendable (Int) -> Value,
      _ afterEach: @escaping @Sendable (Int) -> Void
    ) {
      self.range = range
      self.body = body
      self.afterEach = afterEach
      state = Guarded(
        State(results: Array(repeating: nil, count: range.count), next: range.lowerBound)
      )
    }

    var results: [Value?] { state.with { $0.results } }

    func run() {
      while let number = nextNumber() {
        let result = body(number)
        state.with {
          $0.results[number - range.lowerBound] = result
          $0.done += 1
          afterEach($0.done)
        }
      }
    }

    private func nextNumber() -> Int? {
      state.with {
        guard $0.next < range.upperBound else { return nil }
        $0.next += 1
        return $0.next - 1
      }
    }
  }
}

/// A value that one thread at a time has.
final class Guarded<Value>: @unchecked Sendable {
  private var value: Value
  private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

  init(_ value: Value) {
    self.value = value
    pthread_mutex_init(lock, nil)
  }

  deinit {
    pthread_mutex_destroy(lock)
    lock.deallocate()
  }

  func with<Result>(_ body: (inout Value) -> Result) -> Result {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    return body(&value)
  }
}

/// Work on a thread of its own, which ends by itself.
final class BackgroundWork<Value: Sendable>: Sendable {
  private let done = Guarded<Value?>(nil)

  /// Begins it; where the system has no more threads, it is done at once.
  init(_ body: @escaping @Sendable () -> Value) {
    let done = done
    let work: @Sendable () -> Void = {
      let value = body()
      done.with { $0 = value }
    }
    if !Platform.startThread(work) { work() }
  }

  /// What came of it; nil until it is done.
  var result: Value? { done.with { $0 } }
}
