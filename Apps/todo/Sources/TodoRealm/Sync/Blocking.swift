import Dispatch
import Synchronization

/// Waiting for asynchronous work, on a thread that has nothing else to do.
enum Blocking {
  private final class Outcome<Value: Sendable>: Sendable {
    let result = Mutex<Result<Value, any Error>?>(nil)
    let done = DispatchSemaphore(value: 0)
  }

  /// Runs work elsewhere and waits for its end.
  static func run<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) throws -> Value {
    let outcome = Outcome<Value>()
    Task.detached {
      let result: Result<Value, any Error>
      do { result = .success(try await work()) } catch { result = .failure(error) }
      outcome.result.withLock { $0 = result }
      outcome.done.signal()
    }
    outcome.done.wait()
    guard let result = outcome.result.withLock({ $0 }) else { throw CancellationError() }
    return try result.get()
  }
}
