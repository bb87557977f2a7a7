/// A handle on a timer or an operation that has not ended.
public protocol Cancellable: AnyObject, Sendable {
  /// Cancels the operation, from any thread; has no effect after it ended. When called on the loop, neither the work nor
  /// the completion runs afterwards.
  func cancel()
}
