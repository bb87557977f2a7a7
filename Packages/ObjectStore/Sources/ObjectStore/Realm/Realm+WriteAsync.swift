extension Realm {
  /// Runs `block` in a write transaction at a later turn of the realm's run loop or queue.
  ///
  /// - Parameter onComplete: called on the realm's thread or queue when the transaction is durable, or with the error that
  ///   kept it from being so.
  public func writeAsync(_ block: @escaping () -> Void, onComplete: (((any Swift.Error)?) -> Void)? = nil) {
    view.checkConfinement()
    rule(!view.isFrozen, "Can't perform transactions on a frozen Realm.")
    view.later { view in
      do {
        try Realm(view).write(block)
        onComplete?(nil)
      } catch {
        onComplete?(error)
      }
    }
  }
}

extension RealmView {
  /// Runs work at a later turn of the view's run loop or queue.
  func later(_ work: @escaping (RealmView) -> Void) {
    let box = LaterWork(view: self, work: work)
    notifier.schedule { box.work(box.view) }
  }
}

private struct LaterWork: @unchecked Sendable {
  // @unchecked: made and used on the view's thread or queue.
  let view: RealmView
  let work: (RealmView) -> Void
}
