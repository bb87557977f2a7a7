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
  ///   - keepsBackupOfReset: whether a copy of the file as it was is kept at every reset.
  public func configuration(
    realmURL: URL? = nil, fullSynchronization: Bool = false, serverValidationPolicy: ServerValidationPolicy = .system,
    urlPrefix: String? = nil, cancelAsyncOpenOnNonFatalErrors: Bool = false,
    clientResetMode: ClientResetMode = .recoverUnsyncedChanges(), keepsBackupOfReset: Bool = false
  ) -> Realm.Configuration {
    var configuration = Realm.Configuration()
    configuration.syncConfiguration = syncConfiguration(
      realmURL: realmURL, fullSynchronization: fullSynchronization, serverValidationPolicy: serverValidationPolicy,
      urlPrefix: urlPrefix, cancelAsyncOpenOnNonFatalErrors: cancelAsyncOpenOnNonFatalErrors,
      clientResetMode: clientResetMode, keepsBackupOfReset: keepsBackupOfReset)
    return configuration
  }
}

extension Realm.Configuration {
  /// A configuration of a synced realm; of a file when `syncConfiguration` is nil. Its `fileURL` or `inMemoryIdentifier`, if
  /// given, is where the synced realm is on this device.
  ///
  ///     Realm.Configuration(syncConfiguration: user.syncConfiguration(realmURL: url, fullSynchronization: true))
  public init(
    fileURL: URL? = nil, inMemoryIdentifier: String? = nil, syncConfiguration: SyncConfiguration?,
    encryptionKey: Data? = nil, readOnly: Bool = false, schemaVersion: UInt64 = 0,
    migrationBlock: MigrationBlock? = nil, deleteRealmIfMigrationNeeded: Bool = false,
    shouldCompactOnLaunch: (@Sendable (Int, Int) -> Bool)? = nil, objectTypes: [ObjectBase.Type]? = nil,
    seedFilePath: URL? = nil
  ) {
    var whole = Realm.Configuration(
      encryptionKey: encryptionKey, readOnly: readOnly, schemaVersion: schemaVersion, migrationBlock: migrationBlock,
      deleteRealmIfMigrationNeeded: deleteRealmIfMigrationNeeded, shouldCompactOnLaunch: shouldCompactOnLaunch,
      objectTypes: objectTypes, seedFilePath: seedFilePath)
    // Within an initialiser the properties would not see each other's changes.
    if let syncConfiguration { whole.syncConfiguration = syncConfiguration }
    if let fileURL { whole.fileURL = fileURL }
    if let inMemoryIdentifier { whole.inMemoryIdentifier = inMemoryIdentifier }
    self = whole
  }

  /// The realm on a server that this one is kept in step with. Setting it clears `fileURL` and `inMemoryIdentifier`:
  /// the files of synced realms have paths of their own. Either of them set afterwards says where the synced realm is on
  /// this device: in that file, or in memory.
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

extension Realm.Configuration {
  /// The server's default realm, synced by queries, for the user who is logged in on this device.
  ///
  ///     Realm.Configuration.defaultConfiguration = .automatic
  ///
  /// A program without a logged-in user, or with several, stops: log in first, or use `SyncUser.configuration()`.
  public static var automatic: Realm.Configuration { SyncConfiguration.automatic() }
}

extension SyncConfiguration {
  /// The older form of `Realm.Configuration.automatic`.
  public static func automatic() -> Realm.Configuration {
    guard let user = SyncUser.current else {
      preconditionFailure("the automatic configuration needs a user who is logged in")
    }
    return user.configuration()
  }

  /// The older form of `SyncUser.configuration()`: the server's default realm.
  public static func automatic(user: SyncUser) -> Realm.Configuration { user.configuration() }
}

extension Realm {
  /// The session that keeps the realm in step with its server; nil for local realms. Safe from any thread.
  public var syncSession: SyncSession? {
    guard let sync = configuration.syncConfiguration, let target = try? sync.target.get() else { return nil }
    return try? sync.user.manager.client().session(of: HistoryFile(file), at: target)
  }
}
