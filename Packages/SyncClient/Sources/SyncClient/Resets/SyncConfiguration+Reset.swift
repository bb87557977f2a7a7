import ObjectStore

extension SyncConfiguration {
  /// The mode as sessions know it, with the blocks bound to realms that are opened as `configuration` says: the same file
  /// or memory, key, classes and schema version.
  func resetPolicy(of configuration: Realm.Configuration) -> ResetPolicy {
    func policy(
      _ way: ResetPolicy.Way, _ before: ClientResetMode.BeforeBlock? = nil, _ after: ClientResetMode.AfterBlock? = nil
    ) -> ResetPolicy {
      ResetPolicy(way: way, keepsBackup: keepsBackupOfReset, around: Self.around(configuration, before, after))
    }
    switch clientResetMode {
    case .manual(let handler):
      var manual = policy(.manual)
      manual.manualHandler = handler
      return manual
    case .discardUnsyncedChanges(let before, let after): return policy(.discard, before, after)
    case .recoverUnsyncedChanges(let before, let after): return policy(.recover, before, after)
    case .recoverOrDiscardUnsyncedChanges(let before, let after): return policy(.recoverOrDiscard, before, after)
    }
  }

  private static func around(
    _ configuration: Realm.Configuration, _ before: ClientResetMode.BeforeBlock?,
    _ after: ClientResetMode.AfterBlock?
  ) -> (@Sendable () -> (@Sendable () -> Void)?)? {
    guard before != nil || after != nil else { return nil }
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
