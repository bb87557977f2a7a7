import Dispatch

extension Store {
  /// Waits for the turn to write among the threads of this process, up to the busy timeout.
  func waitForTurn() throws {
    guard turn.wait(timeout: .now() + turnTimeout) == .success else {
      throw StorageError(.locked, "Another thread has been writing for too long. Try again, or allow a longer timeout.")
    }
  }

  /// Whether a thread of this process is writing.
  public var isBeingWritten: Bool {
    guard turn.wait(timeout: .now()) == .success else { return true }
    turn.signal()
    return false
  }

  /// Refuses to write what was opened to be read.
  func checkMayWrite() throws {
    guard !isReadOnly.load(ordering: .relaxed) else {
      throw StorageError(.readOnly, "The store was opened read-only. Open it for writing to change it.")
    }
  }
}
