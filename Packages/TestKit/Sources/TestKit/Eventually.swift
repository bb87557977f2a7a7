/// Waits until a condition holds, polling it every five milliseconds.
///
///     try await eventually("the upload") { session.status.pendingUploads == 0 }
///
/// The limit only keeps a broken test from hanging for ever; it is no expectation of speed.
///
/// - Parameters:
///   - expectation: names the condition in the error.
///   - condition: the condition.
/// - Throws: ``WaitTimeout`` after `limit`; the error of the condition.
public func eventually(
  _ expectation: @autoclosure () -> String, within limit: Duration = .seconds(300),
  _isolation: isolated (any Actor)? = #isolation, _ condition: () async throws -> Bool
) async throws {
  let end = ContinuousClock.now + limit
  while try await !condition() {
    guard ContinuousClock.now < end else { throw WaitTimeout(expectation: expectation()) }
    try await Task.sleep(for: .milliseconds(5))
  }
}

/// A condition did not hold within the limit of `eventually`.
public struct WaitTimeout: Error, CustomStringConvertible {
  /// The name of the condition.
  public var expectation: String
  /// A sentence with the name of the condition.
  public var description: String { "waited in vain for \(expectation)" }
}
