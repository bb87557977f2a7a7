import RecordStore

extension Realm {
  /// Runs `block` later in a write transaction, on the realm's run loop, queue or actor.
  ///
  ///     realm.writeAsync { dog.name = "Rex" } onComplete: { error in print(error.map { "\($0)" } ?? "saved") }
  ///
  /// Transactions run in the order in which they were asked for. A block that neither commits nor cancels is committed.
  ///
  /// - Parameter onComplete: called where the realm is confined to: with nil when the transaction is durable, else with
  ///   the error that prevented it.
  /// - Returns: an identifier for ``cancelAsyncWrite(_:)``.
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

  /// Begins a write transaction later, on the realm's run loop, queue or actor, and runs `asyncWriteBlock` in it. A
  /// block that does not commit is cancelled.
  ///
  /// - Returns: an identifier for ``cancelAsyncWrite(_:)``.
  @discardableResult
  public func beginAsyncWrite(_ asyncWriteBlock: @escaping () -> Void) -> AsyncTransactionId {
    checkAsyncWritable()
    return view.asyncWrites.begin(view) { view in
      view.beginWriteOrRefuse()
      asyncWriteBlock()
      if view.isWriting { view.cancelWrite() }
    }
  }

  /// Commits the open transaction. The commit is durable when this returns; only the handler is called later.
  ///
  /// - Parameters:
  ///   - allowGrouping: has no effect; each commit is durable by itself.
  ///   - onComplete: called later, with nil when the transaction is durable, else with the error that prevented it.
  /// - Returns: an identifier for ``cancelAsyncWrite(_:)``.
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

  /// Drops a transaction that has not begun. Of a committed transaction only the completion handler is dropped.
  ///
  /// - Throws: nothing; the function throws in RealmSwift's signature.
  public func cancelAsyncWrite(_ asyncTransactionId: AsyncTransactionId) throws {
    view.checkConfinement()
    view.asyncWrites.cancel(asyncTransactionId)
  }

  /// Whether asynchronous transactions wait or run, or completion handlers have yet to be called.
  public var isPerformingAsynchronousWriteOperations: Bool {
    view.checkConfinement()
    return view.asyncWrites.isBusy
  }

  /// Runs `block` in a write transaction on the realm's actor. The actor does other work while another thread of the
  /// process writes. Transactions run in the order in which they were asked for.
  ///
  ///     let id = try await realm.asyncWrite { realm.create(Dog.self, value: ["name": "Rex"]).id }
  ///
  /// - Throws: the block's error; ``Realm/Error`` as ``write(withoutNotifying:_:)`` does; `CancellationError` when the
  ///   task was cancelled before the transaction began.
  @discardableResult
  public func asyncWrite<Result>(
    _isolation actor: isolated any Actor = #isolation, _ block: () throws -> Result
  ) async throws -> Result {
    checkActor("asyncWrite()")
    try Task.checkCancellation()
    try await view.asyncWrites.waitUntilWritable(view)
    return try view.asyncWrites.run(view) { try write(block) }
  }

  /// Moves to the newest version, as ``refresh()`` does, after the other work that waits for the actor.
  ///
  /// - Returns: whether there was a newer version; false in a task that was cancelled, which stays where it is.
  @discardableResult
  public func asyncRefresh(_isolation actor: isolated any Actor = #isolation) async -> Bool {
    checkActor("asyncRefresh()")
    await Task.yield()
    return !Task.isCancelled && refresh()
  }

  private func checkActor(_ name: String) {
    switch view.confinement {
    case .main, .actor: view.checkConfinement()
    case .thread, .queue, .none: violated("\(name) can only be called on main thread or actor-isolated Realms.")
    }
  }

  private func checkAsyncWritable() {
    view.checkConfinement()
    rule(!view.isFrozen, "Can't perform transactions on a frozen Realm.")
    rule(!view.configuration.readOnly, "Can't perform transactions on read-only Realms.")
  }
}
