import Glibc
import Synchronization
import TextWidth

/// A line at the foot of the terminal that follows long work; nothing where standard error is no terminal.
///
///     try ProgressLine.following(console, unit: "objects") { progress in
///       for (number, row) in rows.enumerated() {
///         try insert(row)
///         progress.update("writing", count: number, share: Double(number) / Double(rows.count))
///       }
///     }
///
/// Safe to use from any thread. An update costs the reading of a clock, a shown one a write to the terminal.
public final class ProgressLine: Sendable {
  private struct State {
    var meter: ProgressMeter
    var isShown = false
    var isEnded = false
  }
  private let console: Console
  private let clock: @Sendable () -> Double
  private let state: Mutex<State>

  init(
    _ console: Console, unit: String, clock: @escaping @Sendable () -> Double = ProgressLine.seconds
  ) {
    self.console = console
    self.clock = clock
    state = Mutex(State(meter: ProgressMeter(unit: unit, now: clock())))
  }

  /// Runs work with a line that is taken away at its end, also when it throws.
  ///
  /// - Parameters:
  ///   - unit: what is counted, as in "objects".
  public static func following<Value>(
    _ console: Console, unit: String, _ work: (ProgressLine) throws -> Value
  ) rethrows -> Value {
    let line = ProgressLine(console, unit: unit)
    defer { line.end() }
    return try work(line)
  }

  /// The same for work that suspends.
  public static func following<Value>(
    isolation: isolated (any Actor)? = #isolation, _ console: Console, unit: String,
    _ work: (ProgressLine) async throws -> Value
  ) async rethrows -> Value {
    let line = ProgressLine(console, unit: unit)
    defer { line.end() }
    return try await work(line)
  }

  /// Shows how far the work is, if it is time to.
  ///
  /// - Parameters:
  ///   - label: the part that runs; its count and share begin anew with another label.
  ///   - count: what is done of it.
  ///   - share: the same as a part of 1; nil where the end is not known.
  public func update(_ label: String, count: Int, share: Double? = nil) {
    guard let columns = console.errorColumns else { return }
    let now = clock()
    state.withLock { state in
      guard !state.isEnded, let line = state.meter.line(label, count: count, share: share, now: now) else { return }
      console.show(progress: TextCleaning.line(line).truncated(to: max(1, columns - 1)))
      state.isShown = true
    }
  }

  /// The same for bytes, counted in the unit kB.
  public func update(_ label: String, bytes: Int, of known: Int) {
    update(label, count: bytes / 1000, share: known > 0 ? min(1, Double(bytes) / Double(known)) : nil)
  }

  /// Takes the line away until the next update, so that another can be printed.
  public func pause() {
    state.withLock { state in
      if state.isShown { console.show(progress: nil) }
      state.isShown = false
    }
  }

  /// Takes the line away for good.
  func end() {
    state.withLock { state in
      if state.isShown { console.show(progress: nil) }
      state.isShown = false
      state.isEnded = true
    }
  }

  /// Seconds of the system's monotonic clock.
  private static let seconds: @Sendable () -> Double = {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
