import ObjectStore

extension SyncConfiguration {
  /// The mode as sessions know it, with the blocks bound to realms of this configuration.
  var resetPolicy: ResetPolicy {
    switch clientResetMode {
    case .manual(let handler): ResetPolicy(way: .manual, manualHandler: handler)
    case .discardUnsyncedChanges(let before, let after): ResetPolicy(way: .discard, around: around(before, after))
    case .recoverUnsyncedChanges(let before, let after): ResetPolicy(way: .recover, around: around(before, after))
    case .recoverOrDiscardUnsyncedChanges(let before, let after):
      ResetPolicy(way: .recoverOrDiscard, around: around(before, after))
    }
  }

  private func around(
    _ before: ClientResetMode.BeforeBlock?, _ after: ClientResetMode.AfterBlock?
  ) -> (@Sendable () -> (@Sendable () -> Void)?)? {
    guard before != nil || after != nil else { return nil }
    var configuration = Realm.Configuration()
    configuration.syncConfiguration = self
    let opening = configuration
    return {
      guard let frozen = try? Realm(configuration: opening).freeze() else { return nil }
      before?(frozen)
      guard let after else { return nil }
      let state = FrozenState(realm: frozen)
      return {
        guard let live = try? Realm(configuration: opening) else { return }
        live.refresh()
        after(state.realm, live)
      }
    }
  }
}

/// A frozen realm on its way from one block to another.
// @unchecked Sendable: frozen realms may be read on any thread.
private struct FrozenState: @unchecked Sendable {
  let realm: Realm
}
