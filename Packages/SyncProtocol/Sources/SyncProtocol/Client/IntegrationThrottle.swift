/// Leaves a file to the application after an integration of many changesets that took long, so that its writes get their
/// turn, and what arrives meanwhile is integrated together.
///
///     integration, 20 ms │ pause, 60 ms │ integration, 25 ms │ pause, 75 ms │ …
///
/// Where integrations are quick, or few others write, there is no pause: nothing waits for another thing, and a disk that
/// was slow once delays nothing else.
struct IntegrationThrottle: Hashable, Sendable {
  /// When the running integration began, if it is of many.
  private var start: Duration?
  /// When the next one may begin.
  private(set) var end: Duration = .zero
  /// Whether a timer runs until ``end``.
  var isTimed = false

  /// Fewer changesets than this are followed by no pause.
  static let many = 16
  /// What takes no longer is followed by no pause.
  static let quick: Duration = .milliseconds(4)
  /// How much longer than the integration its pause is.
  static let ratio = 3
  /// No pause is longer.
  static let longest: Duration = .milliseconds(100)

  mutating func integrationBegan(of count: Int, at now: Duration) { start = count < Self.many ? nil : now }

  mutating func integrationEnded(at now: Duration) {
    guard let start, now - start > Self.quick else { return }
    end = now + min((now - start) * Self.ratio, Self.longest)
  }
}
