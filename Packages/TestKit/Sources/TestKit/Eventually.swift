/// Waits until a condition holds, polling it every five milliseconds.
///
///     try await eventually("the upload") { session.status.pendingUploads == 0 }
///
/// The limit only keeps a broken test from hanging for ever; it is no expectation of speed. A clock alone would be one: where all tests of a
/// run wait for the same few threads, minutes may pass between two looks. So it also takes `looks` of them.
///
/// - Parameters:
///   - expectation: names the condition in the error.
///   - limit: the least time before it gives up.
///   - looks: the least number of looks before it gives up.
///   - condition: the condition.
/// - Throws: ``WaitTimeout`` with the place of the call; the error of the condition.
public func eventually(
  _ expectation: @autoclosure () -> String = "a condition", within limit: Duration = .seconds(300), looks: Int = 2_000,
  file: String = #fileID, line: Int = #line, _isolation: isolated (any Actor)? = #isolation,
  _ condition: () async throws -> Bool
) async throws {
  let end = ContinuousClock.now + limit
  var count = 0
  while try await !condition() {
    count += 1
    guard count < looks || ContinuousClock.now < end else {
      throw WaitTimeout(expectation: expectation(), file: file, line: line)
    }
    try await Task.sleep(for: .milliseconds(5))
  }
}

/// A condition did not hold within the limits of `eventually`, or at a look that counted.
public struct WaitTimeout: Error, CustomStringConvertible {
  /// The name of the condition.
  public var expectation: String
  /// The place of the test that waited, such as `ShopTests/OrderTests.swift`.
  public var file: String
  /// The line of that place.
  public var line: Int

  /// An error that names the place where it is made, unless another is given.
  public init(expectation: String, file: String = #fileID, line: Int = #line) {
    (self.expectation, self.file, self.line) = (expectation, file, line)
  }

  /// A sentence with the name of the condition and the place.
  public var description: String { "\(file):\(line) waited in vain for \(expectation)" }
}
