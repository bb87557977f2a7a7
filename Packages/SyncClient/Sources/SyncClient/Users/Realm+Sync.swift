import Foundation
import ObjectStore

extension SyncUser {
  /// A configuration that opens a realm of a server and keeps it in step.
  ///
  ///     let realm = try Realm(configuration: user.configuration(
  ///       realmURL: URL(string: "realm://localhost:9080/~/todo"), fullSynchronization: true))
  ///
  /// - Parameters:
  ///   - realmURL: such as `realm://localhost:9080/~/todo`, where `~` is the user; nil for the server's default realm.
  ///   - fullSynchronization: whether the whole realm is synced; otherwise the results of subscriptions. A file keeps the
  ///     mode that it was first opened in.
  ///   - serverValidationPolicy: the proof of identity that the server must give over TLS.
  ///   - urlPrefix: the service path, `/realm-sync` unless given.
  ///   - cancelAsyncOpenOnNonFatalErrors: whether opening asynchronously ends with the first error, also with one that
  ///     may pass by itself.
  ///   - clientResetMode: the treatment of the file when the server cannot continue its history.
  public func configuration(
    realmURL: URL? = nil, fullSynchronization: Bool = false, serverValidationPolicy: ServerValidationPolicy = .system,
    urlPrefix: String? = nil, cancelAsyncOpenOnNonFatalErrors: Bool = false,
    clientResetMode: ClientResetMode = .recoverUnsyncedChanges()
  ) -> Realm.Configuration {
    var configuration = Realm.Configuration()
    configuration.syncConfiguration = syncConfiguration(
      realmURL: realmURL, fullSynchronization: fullSynchronization, serverValidationPolicy: serverValidationPolicy,
      urlPrefix: urlPrefix, cancelAsyncOpenOnNonFatalErrors: cancelAsyncOpenOnNonFatalErrors,
      clientResetMode: clientResetMode)
    return configuration
  }
}

extension Realm.Configuration {
  /// The realm on a server that this one is kept in step with. Setting it clears `fileURL` and `inMemoryIdentifier`:
  /// the files of synced realms have paths of their own.
  public var syncConfiguration: SyncConfiguration? {
    get { replication as? SyncConfiguration }
    set {
      if newValue != nil {
        inMemoryIdentifier = nil
        fileURL = nil
      }
      replication = newValue
    }
  }
}

extension Realm {
  /// The session that keeps the realm in step with its server; nil for local realms. Safe from any thread.
  public var syncSession: SyncSession? {
    guard let sync = configuration.syncConfiguration, let target = try? sync.target.get() else { return nil }
    return try? sync.user.manager.client().session(of: HistoryFile(file), at: target)
  }
}
