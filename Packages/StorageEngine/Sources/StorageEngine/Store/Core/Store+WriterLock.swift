extension Store {
  /// Takes the writer lock of this process, waiting up to the busy timeout.
  func lockForWriting() throws {
    guard writerLock.lock(within: lockTimeout) else {
      throw StorageError(.locked, "Another thread has been writing for too long. Try again, or allow a longer timeout.")
    }
  }

  /// Whether a thread of this process is writing.
  public var isBeingWritten: Bool { writerLock.isLocked }

  /// Calls `handler` once, on any thread, when no thread of this process writes or waits to; at once if that is so now.
  /// Another writer may still be quicker, so the handler tries again.
  public func whenWritable(_ handler: @escaping @Sendable () -> Void) { writerLock.whenFree(handler) }

  /// Throws when the store was opened read-only.
  func checkMayWrite() throws {
    guard !isReadOnly.load(ordering: .relaxed) else {
      throw StorageError(.readOnly, "The store was opened read-only. Open it for writing to change it.")
    }
  }
}
