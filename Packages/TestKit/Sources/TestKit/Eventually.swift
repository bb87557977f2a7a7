/// Returns as soon as a condition holds, however long the machine takes for it.
///
///     try await eventually("the upload") { session.status.pendingUploads == 0 }
///
/// The limit only keeps a broken test from hanging for ever; it is no expectation.
///
/// - Parameters:
///   - what: what is waited for; for the error, and made only then.
///   - condition: asked again and again.
/// - Throws: ``WaitedInVain`` after `limit`, and what the condition throws.
public func eventually(
  _ what: @autoclosure () -> String, within limit: Duration = .seconds(300),
  _isolation: isolated (any Actor)? = #isolation, _ condition: () async throws -> Bool
) async throws {
  let end = ContinuousClock.now + limit
  while try await !condition() {
    guard ContinuousClock.now < end else { throw WaitedInVain(what: what()) }
    try await Task.sleep(for: .milliseconds(5))
  }
}

/// Something did not happen within the limit of ``eventually(_:within:_isolation:_:)``.
public struct WaitedInVain: Error, CustomStringConvertible {
  /// What was waited for.
  public var what: String
  public var description: String { "waited in vain for \(what)" }
}
