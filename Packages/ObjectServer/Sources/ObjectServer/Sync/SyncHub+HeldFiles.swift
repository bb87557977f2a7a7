import Concurrency
import Permissions

/// The files of a realm that consumers hold. On the loop.
struct HeldFiles {
  /// The number of holds.
  var count = 0
  /// Tells the consumers whether somebody waits for them.
  let request = HoldRequest()
  /// The move or deletion that waits for them, and the end of its patience.
  var waiter: (resume: @Sendable (Bool) -> Void, end: any Cancellable)?
}

extension SyncHub {
  /// Tells of a commit of a consumer: the sessions of a realm, whose files may be closed while they rest, and its watches, which a realm
  /// that is open tells itself.
  func committedByConsumer(_ path: Permissions.RealmPath) {
    let realm = realms[path]
    realm?.consumerCommitted()
    if realm?.isOpen != true { tellWatches(of: path) }
  }

  /// Wakes the consumers of a realm: there may be commits that they do not know, or the realm is gone.
  func tellWatches(of path: Permissions.RealmPath) {
    for watch in watches where watch.matches(path) { watch.note(path) }
  }

  /// Ends a hold that was kept. When it was the last one, and the files were wanted by nobody who waits for them, consumers may come
  /// again at once.
  func letGo(of path: Permissions.RealmPath) {
    let held = holds[path]
    endHold(path)
    if let held, held.count == 1, held.request.isMade, held.waiter == nil { tellWatches(of: path) }
  }

  /// Ends a hold.
  func endHold(_ path: Permissions.RealmPath) {
    guard var held = holds[path] else { return }
    held.count -= 1
    holds[path] = held.count == 0 ? nil : held
    guard held.count == 0, let waiter = held.waiter else { return }
    waiter.end.cancel()
    waiter.resume(true)
  }

  /// Asks the consumers of a realm for its files, and calls `completion` once nobody holds them, with true; or with false when
  /// consumers keep them for too long. One caller at a time waits for a realm, which it has locked.
  ///
  /// - Parameter goesOn: whether the realm leaves all the same then, so that consumers are to let go whenever they can.
  func afterHolds(
    of path: Permissions.RealmPath, goesOn: Bool = false, _ completion: @escaping @Sendable (Bool) -> Void
  ) {
    guard let request = holds[path]?.request else { return completion(true) }
    request.make()
    let end = scheduler.schedule(after: configuration.holdPatience) { [weak self] in
      self?.holds[path]?.waiter = nil
      if !goesOn { request.withdraw() }
      completion(false)
    }
    holds[path]?.waiter = (completion, end)
  }

  /// Asks the consumers of a realm for its files, which cannot be used: they cannot be opened anew while somebody has them open.
  func filesFailed(of path: Permissions.RealmPath) { holds[path]?.request.make() }

  /// Asks the consumers of a realm for its files no longer, when somebody opened them: the realm was to leave, and stays.
  func filesOpened(of path: Permissions.RealmPath) {
    guard let held = holds[path], held.waiter == nil, !locked.contains(path), !isLeaving(path) else { return }
    held.request.withdraw()
  }
}
