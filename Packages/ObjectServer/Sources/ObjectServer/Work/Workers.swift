/// Where blocking work is done, so that the loop never waits for a disk or a password hash.
///
/// Work of one lane runs one piece at a time, in the order of submission; lanes run side by side, and who has consumed least
/// comes first: see ``WorkScheduler``.
public protocol Workers: Sendable {
  /// Runs `work` soon, never before this call returns. On any thread.
  func submit(_ order: WorkOrder, _ work: @escaping @Sendable () -> Void)

  /// Accepts no more work and calls `completion` when all that was submitted is done. On any thread.
  func shutDown(_ completion: @escaping @Sendable () -> Void)
}

extension Workers {
  /// Runs `work` soon, at the expense of its lane.
  public func submit(_ lane: WorkLane, _ work: @escaping @Sendable () -> Void) { submit(WorkOrder(lane), work) }
}

/// Names a sequence of work.
public enum WorkLane: Hashable, Sendable {
  /// Reads and writes of the directory.
  case directory
  /// Password hashing; several lanes, chosen by the user's name.
  case passwords(Int)
  /// What is done for the process as a whole, now and then.
  case upkeep
  /// One realm's files, by a number that is never used again.
  case realm(UInt64)
  /// The large messages of one connection, by its number.
  case messages(UInt64)
}
