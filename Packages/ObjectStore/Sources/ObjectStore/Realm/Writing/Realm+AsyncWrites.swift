extension Realm {
  /// Runs `block` in a write transaction at a later turn of the realm's run loop, queue or actor.
  ///
  /// Transactions run in the order they were asked for. A block that neither commits nor cancels is committed.
  ///
  /// - Parameter onComplete: called where the realm is at home when the transaction is durable, or with the error that kept
  ///   it from being so.
  @discardableResult
  public func writeAsync(
    _ block: @escaping () -> Void, onComplete: (((any Swift.Error)?) -> Void)? = nil
  ) -> AsyncTransactionId {
    checkAsyncWritable()
    return view.asyncWrites.begin(view) { view in
      do {
        try view.beginWrite()
        block()
        if view.isWriting { try view.commitWrite(withoutNotifying: []) }
        _ = view.asyncWrites.complete(view, nil, onComplete)
      } catch {
        _ = view.asyncWrites.complete(view, error, onComplete)
      }
    }
  }

  /// Begins a write transaction at a later turn of the realm's run loop, queue or actor, and runs `asyncWriteBlock` in
  /// it. A block that does not commit is cancelled.
  @discardableResult
  public func beginAsyncWrite(_ asyncWriteBlock: @escaping () -> Void) -> AsyncTransactionId {
    checkAsyncWritable()
    return view.asyncWrites.begin(view) { view in
      view.beginWriteOrRefuse()
      asyncWriteBlock()
      if view.isWriting { view.cancelWrite() }
    }
  }

  /// Commits the open transaction.
  ///
  /// - Parameters:
  ///   - allowGrouping: whether several commits may become durable together; each is durable by itself at present.
  ///   - onComplete: called at a later turn, when everything is durable, or with the error that kept it from being so.
  @discardableResult
  public func commitAsyncWrite(
    allowGrouping: Bool = false, _ onComplete: (((any Swift.Error)?) -> Void)? = nil
  ) -> AsyncTransactionId {
    view.checkConfinement()
    do {
      try view.commitWrite(withoutNotifying: [])
      return view.asyncWrites.complete(view, nil, onComplete)
    } catch {
      return view.asyncWrites.complete(view, error, onComplete)
    }
  }

  /// Forgets a transaction that has not begun; of one that was committed only the completion.
  public func cancelAsyncWrite(_ asyncTransactionId: AsyncTransactionId) throws {
    view.checkConfinement()
    view.asyncWrites.cancel(asyncTransactionId)
  }

  /// Whether transactions wait to begin, or run, that were asked for asynchronously, or completions are to be called.
  public var isPerformingAsynchronousWriteOperations: Bool {
    view.checkConfinement()
    return view.asyncWrites.isBusy
  }

  /// Runs `block` in a write transaction on the realm's actor, which does other work while another thread of the process
  /// writes. Transactions run in the order they were asked for.
  ///
  /// - Throws: what the block throws; `CancellationError` when the task was cancelled before it began.
  @discardableResult
  public func asyncWrite<Result>(
    _isolation actor: isolated any Actor = #isolation, _ block: () throws -> Result
  ) async throws -> Result {
    checkActor("asyncWrite()")
    try Task.checkCancellation()
    try await view.asyncWrites.waitForTurn(view)
    return try view.asyncWrites.run(view) { try write(block) }
  }

  /// Moves to the newest version; whether there was one.
  @discardableResult
  public func asyncRefresh(_isolation actor: isolated any Actor = #isolation) async -> Bool {
    checkActor("asyncRefresh()")
    return refresh()
  }

  private func checkActor(_ name: String) {
    switch view.confinement {
    case .main, .actor: view.checkConfinement()
    default: violated("\(name) is only supported on main thread or actor-isolated Realms.")
    }
  }

  private func checkAsyncWritable() {
    view.checkConfinement()
    rule(!view.isFrozen, "Can't perform transactions on a frozen Realm.")
    rule(!view.configuration.readOnly, "Can't perform transactions on read-only Realms.")
  }
}

extension RealmView {
  /// Runs work at a later turn of the view's run loop, queue or actor.
  func later(_ work: @escaping (RealmView) -> Void) {
    let box = LaterWork(view: self, work: work)
    notifier.schedule { box.work(box.view) }
  }
}

private struct LaterWork: @unchecked Sendable {
  // @unchecked: made and used where the view is at home.
  let view: RealmView
  let work: (RealmView) -> Void
}
