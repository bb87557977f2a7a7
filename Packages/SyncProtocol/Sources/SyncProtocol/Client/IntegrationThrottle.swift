/// A pause after a long integration of many changesets: the application can write, and DOWNLOADs that arrive in the pause are
/// integrated together.
///
///     integration, 20 ms │ pause, 60 ms │ integration, 25 ms │ pause, 75 ms │ …
///
/// Quick integrations and integrations of few changesets have no pause.
struct IntegrationThrottle: Hashable, Sendable {
  /// The start of the running integration, when it is of many changesets.
  private var start: Duration?
  /// The earliest start of the next integration.
  private(set) var end: Duration = .zero
  /// Whether a timer runs until ``end``.
  var isTimed = false

  /// The fewest changesets with a pause.
  static let many = 16
  /// The longest duration without a pause.
  static let quick: Duration = .milliseconds(4)
  /// The duration of a pause as a multiple of its integration.
  static let ratio = 3
  /// The longest pause.
  static let longest: Duration = .milliseconds(100)

  mutating func integrationBegan(of count: Int, at now: Duration) { start = count < Self.many ? nil : now }

  mutating func integrationEnded(at now: Duration) {
    guard let start, now - start > Self.quick else { return }
    end = now + min((now - start) * Self.ratio, Self.longest)
  }
}
