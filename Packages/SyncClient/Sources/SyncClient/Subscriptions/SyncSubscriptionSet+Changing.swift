public import ObjectStore
import RecordStore

/// Changes, all of which happen within ``SyncSubscriptionSet/update(_:onComplete:)``.
extension SyncSubscriptionSet {
  /// Stores what `block` does to the set, in one transaction that waits for the file's other writers.
  ///
  /// - Parameters:
  ///   - block: changes the set; runs within the transaction and must not write to the realm.
  ///   - onComplete: called once on a background thread when the server serves the set, or with the error: a mistake in a
  ///     query with its position, or the server's refusal. Not called when the process ends before.
  public func update(_ block: () -> Void, onComplete: (@Sendable ((any Error)?) -> Void)? = nil) {
    do { try editor.update(block) } catch {
      onComplete?(error)
      return
    }
    guard let onComplete else { return }
    let waiting = self
    Task.detached {
      do { try await waiting.waitForSync() } catch { return onComplete(error) }
      onComplete(nil)
    }
  }

  /// The form of ``update(_:onComplete:)`` that returns when the server serves the set.
  ///
  /// - Throws: a mistake in a query with its position, after which nothing is stored; ``SyncError`` when the server refuses
  ///   the set; `CancellationError`.
  public func update(_ block: () -> Void, _isolation: isolated (any Actor)? = #isolation) async throws {
    try editor.update(block)
    try await waitForSync()
  }

  /// Stores what `block` does to the set, without waiting for the server.
  ///
  /// - Throws: a mistake in a query with its position, after which nothing is stored.
  public func write(_ block: () -> Void) throws { try editor.update(block) }

  /// Adds subscriptions. One without a name whose query is in the set already is the same one. A name that is taken by
  /// another query is a mistake of the update.
  public func append<T: Object>(_ subscriptions: QuerySubscription<T>...) {
    for subscription in subscriptions {
      editor.change { draft in
        let new = try subscription.record(in: editor.store.file)
        if let name = new.name, let present = draft.first(where: { $0.name == name }) {
          guard present.hasSameQuery(as: new) else { throw RecordStoreError(nameTaken: name) }
          return
        }
        guard !draft.contains(where: { $0.name == new.name && $0.hasSameQuery(as: new) }) else { return }
        draft.append(new)
      }
    }
  }

  /// Removes the subscriptions with a query, whatever their names.
  public func remove<T: Object>(ofType type: T.Type, where predicateFormat: String, _ args: Any...) {
    remove(Result { try SubscriptionQuery(type, where: predicateFormat, args) })
  }

  /// Removes the subscriptions with a query, whatever their names.
  public func remove<T: Object>(ofType type: T.Type, _ query: (Query<T>) -> Query<Bool>) {
    remove(.success(SubscriptionQuery(type, query)))
  }

  private func remove(_ query: Result<SubscriptionQuery, any Error>) {
    editor.change { draft in
      let unwanted = try query.get().checked(in: editor.store.file)
      draft.removeAll { $0.hasSameQuery(as: unwanted) }
    }
  }

  /// Removes a subscription.
  public func remove(_ subscription: SyncSubscription) {
    editor.change { draft in draft.removeAll { subscription.isThis($0) } }
  }

  /// Removes the subscription with a name.
  public func remove(named name: String) { editor.change { draft in draft.removeAll { $0.name == name } } }

  /// Removes all subscriptions, or those without a name.
  public func removeAll(unnamedOnly: Bool = false) {
    editor.change { draft in draft.removeAll { !unnamedOnly || $0.name == nil } }
  }

  /// Removes the subscriptions of a class.
  public func removeAll<T: Object>(ofType type: T.Type) {
    let name = type.className()
    editor.change { draft in draft.removeAll { $0.className == name } }
  }
}

extension RecordStoreError {
  /// Two subscriptions cannot have one name.
  init(nameTaken name: String) {
    self.init(
      .subscriptionFailed,
      "A subscription named '\(name)' exists with another query. Update it, or choose another name.")
  }
}
