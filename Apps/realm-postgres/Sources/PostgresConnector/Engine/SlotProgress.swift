import PostgresClient

/// How far the slot is dealt with: the position that the connector confirms to the database and stores with what it writes. A pure value.
///
/// A transaction can be reached while an earlier one is still being dealt with, as when the repair of one waits for what the slot has
/// next. The earlier one would be lost if the later were confirmed before it and the connector died then.
struct SlotProgress {
  /// Everything before this position is dealt with, durably.
  private(set) var done: LogPosition
  private var reached: LogPosition
  private var unfinished = 0

  /// - Parameter done: where an earlier run was.
  init(_ done: LogPosition = LogPosition(0)) {
    self.done = done
    reached = done
  }

  /// Work begins without which nothing later counts as dealt with.
  mutating func begin() { unfinished += 1 }

  /// Work that was begun is done.
  mutating func finish() {
    unfinished -= 1
    if unfinished == 0 { done = reached }
  }

  /// Takes note that nothing of the slot before a position is left to be begun.
  mutating func reach(_ position: LogPosition) {
    reached = max(reached, position)
    if unfinished == 0 { done = reached }
  }
}
