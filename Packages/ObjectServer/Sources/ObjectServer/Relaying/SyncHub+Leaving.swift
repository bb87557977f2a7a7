import Concurrency
import Permissions
import Telemetry

// Realms that leave for another node: their files are closed, and their clients come back and are passed on.
extension SyncHub {
  /// Begins to follow the placement: realms that leave are closed.
  func followPlacement() {
    guard let placement = member?.placement else { return }
    let scheduler = scheduler
    placement.whenLeaving { [weak self] left, done in
      scheduler.execute { [weak self] in
        guard let self else { return done() }
        leave(left, then: done)
      }
    }
  }

  /// Ends every session of the realms that left, finishes the commit that is under way in each, and closes their files. What was
  /// acknowledged is committed; what was not, the clients upload again where the realm is then.
  ///
  /// Consumers of commits are asked for their files, up to ``ServerConfiguration/holdPatience``.
  ///
  /// - Complexity: O(realms in use).
  func leave(_ left: @escaping @Sendable (Permissions.RealmPath) -> Bool, then done: @escaping @Sendable () -> Void) {
    let number = nextLeaving
    nextLeaving += 1
    leaving[number] = left
    let paths = Set(realms.keys).union(holds.keys).union(graphQL?.openPaths ?? []).filter(left).sorted {
      $0.description < $1.description
    }
    logger.info("realms leave", ["count": .integer(Int64(paths.count))])
    let closed = CountdownLatch(paths.count) { [weak self] in
      self?.leaving[number] = nil
      done()
      self?.placeWaiting()
    }
    for path in paths {
      endSessions(of: path, Self.handedOver) { [weak self] in
        guard let self else { return closed.countDown() }
        authors.forget(path)
        whenFilesChanged(path)
        afterHolds(of: path, goesOn: true) { [weak self] _ in
          self?.tellWatches(of: path)
          closed.countDown()
        }
      }
    }
  }

  /// Finds the places of realms whose files were being closed when their clients asked.
  private func placeWaiting() {
    let left = waiting.filter { !isLeaving($0.path) }
    waiting.removeAll { !isLeaving($0.path) }
    for (_, place) in left { place() }
  }
}
