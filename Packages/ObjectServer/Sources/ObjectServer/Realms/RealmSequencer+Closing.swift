extension RealmSequencer {
  /// Closes the files in the realm's queue. Requires that the sequencer is idle.
  ///
  /// - Parameters:
  ///   - keepsWatching: whether the next store is to watch on for the sessions.
  ///   - completion: called when the files are closed, also if an earlier call closes them.
  func close(keepsWatching: Bool = false, _ completion: @escaping @Sendable () -> Void = {}) {
    switch stage {
    case .open(let store):
      stage = .closed
      commitObservation = nil
      count(FeedLoad())
      if !keepsWatching { watchNobody() }
      closings += 1
      metrics.openRealms.add(-1)
      let suspended = suspended
      let letGo = closing?()
      context.perform(queue) {
        letGo?()
        // Where nothing can be handed over, the store that comes next tells everyone.
        suspended.keep(keepsWatching ? (try? store.suspendViews()) ?? .unknown : nil)
        store.close()
      } then: { [self] _ in
        closings -= 1
        completion()
      }
    case .closed:
      guard closings > 0 else { return completion() }
      // Behind the closing in the same queue.
      context.perform(queue) {
      } then: { _ in
        completion()
      }
    }
  }

  /// Closes the files while sessions stay: the next request opens them again.
  ///
  /// - Returns: false when the files are in use, or when closing would make a client start over.
  func closeIfIdle() -> Bool {
    guard isIdle, isOpen, !hasUnfinishedWork else { return false }
    close(keepsWatching: true)
    return true
  }
}
