public import Permissions

extension SyncHub {
  /// Adds a watch of commits. On the loop.
  ///
  /// - Complexity: O(realms in use).
  func add(_ watch: RealmWatch) {
    watches.append(watch)
    for (path, realm) in realms where watch.matches(path) { realm.add(watch) }
  }

  /// Removes a watch.
  func remove(_ watch: RealmWatch) {
    watches.removeAll { $0 === watch }
    for realm in realms.values { realm.remove(watch) }
  }
}

extension ObjectServer {
  /// Watches the commits of realms; see ``RealmWatch``. From any thread.
  ///
  /// Without watches a commit costs nothing more. With some it costs a reading of the history's extent and a hand-over to the loop.
  ///
  /// - Parameters:
  ///   - matches: whether a realm is watched; asked once for each realm in use, on the loop.
  ///   - wake: called on the loop when realms have commits, and not again before they are taken.
  public func watchCommits(
    matching matches: @escaping @Sendable (RealmPath) -> Bool, wake: @escaping @Sendable () -> Void
  ) -> RealmWatch {
    let (hub, scheduler) = (hub, hub.scheduler)
    let watch = RealmWatch(matching: matches, wake: wake) { watch in
      scheduler.execute { [weak hub] in hub?.remove(watch) }
    }
    scheduler.execute { hub.add(watch) }
    return watch
  }
}
