import Foundation

/// Runs `body`, which may block, on a thread of its own, while the test that awaits it suspends.
///
/// Tests share as few threads as the machine has processors. A body that waits on one of them for what another task does, by a semaphore, a pipe
/// or a child process, takes that thread from all others; when every thread waits so, none of them ends.
///
///     let answer = try await onOwnThread { try run("realm", ["--version"]) }
///
/// - Parameter body: the work; it runs once.
/// - Returns: what `body` returns.
/// - Throws: what `body` throws.
public func onOwnThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
  try await withCheckedThrowingContinuation { continuation in
    Thread.detachNewThread { continuation.resume(with: Result { try body() }) }
  }
}
