import Telemetry

/// Reports how far a load is and how long it still takes, every five seconds and at the end.
struct LoadMeter {
  private let total: Int
  private let name: String
  private let logger: Logger
  private let began = ContinuousClock.now
  private var reported = ContinuousClock.now
  private var count: Int
  private let start: Int

  /// - Parameters:
  ///   - total: the rows of the whole load.
  ///   - done: those that an earlier run has loaded.
  init(_ total: Int, done: Int = 0, _ name: String, _ logger: Logger) {
    self.total = total
    self.name = name
    self.logger = logger
    count = done
    start = done
  }

  mutating func add(_ rows: Int) {
    count += rows
    guard ContinuousClock.now - reported > .seconds(5) else { return }
    reported = ContinuousClock.now
    logger.info(
      "loading \(name)",
      ["rows": LogValue(count), "of": LogValue(total), "seconds left": LogValue(secondsLeft(reported - began))])
  }

  /// The seconds that the rest takes at the speed so far.
  func secondsLeft(_ elapsed: Duration) -> Int {
    guard count > start else { return 0 }
    return Int(elapsed / .seconds(1) * Double(max(0, total - count)) / Double(count - start))
  }

  func end() {
    guard total > 0 else { return }
    let seconds = (ContinuousClock.now - began) / .seconds(1)
    logger.info(
      "loaded \(name)", ["rows": LogValue(count), "milliseconds": LogValue(Int(seconds * 1_000))])
  }
}
