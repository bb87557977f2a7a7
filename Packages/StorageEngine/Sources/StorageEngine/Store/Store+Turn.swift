extension Store {
  /// Waits for the turn to write among the threads of this process, up to the busy timeout.
  func waitForTurn() throws {
    guard turn.take(within: turnTimeout) else {
      throw StorageError(.locked, "Another thread has been writing for too long. Try again, or allow a longer timeout.")
    }
  }

  /// Whether a thread of this process is writing.
  public var isBeingWritten: Bool { turn.isTaken }

  /// Calls `handler` once, on any thread, when no thread of this process writes or stands in line to; at once if that is so
  /// now. Somebody may be quicker than who is told.
  public func tellWhenWritable(_ handler: @escaping @Sendable () -> Void) { turn.tellWhenFree(handler) }

  /// Refuses to write what was opened to be read.
  func checkMayWrite() throws {
    guard !isReadOnly.load(ordering: .relaxed) else {
      throw StorageError(.readOnly, "The store was opened read-only. Open it for writing to change it.")
    }
  }
}
