import ByteCoding
import Cryptography
import Foundation
import ObjectStore
import RecordStore
import SyncProtocol
import Transport

/// The part of a realm's configuration about sync: the realm on the server, the user, and the modes.
///
/// Made by `SyncUser.configuration(realmURL:)`. A value, safe on any thread.
public struct SyncConfiguration: ReplicationConfiguration {
  /// The user on whose behalf the realm is synced.
  public let user: SyncUser
  /// The URL of the realm on the server.
  public let realmURL: URL
  /// The proof of identity that the server must give over TLS.
  public let serverValidationPolicy: ServerValidationPolicy
  /// Whether the whole realm is synced, rather than the results of queries.
  public let fullSynchronization: Bool
  /// The service path on the server; `/realm-sync` unless given.
  public let urlPrefix: String?
  /// Whether opening asynchronously ends with the first error, also with one that may pass by itself.
  public let cancelAsyncOpenOnNonFatalErrors: Bool
  /// The treatment of the file when the server cannot continue its history.
  public let clientResetMode: ClientResetMode
  /// Whether a copy of the file as it was is kept beside it at every reset, whatever the mode; `SyncStatus.backupPath` says
  /// where. A manual reset always keeps one.
  public let keepsBackupOfReset: Bool
  /// Fills the subscriptions of a new file, and at every launch when ``rerunOnOpen``; nil to begin without.
  public internal(set) var initialSubscriptions: (@Sendable (SyncSubscriptionSet) -> Void)?
  /// Whether ``initialSubscriptions`` runs at the first opening of each process.
  public internal(set) var rerunOnOpen = false
  /// The partition that the realm is; nil for a realm with a URL.
  public let partitionValue: AnyBSON?
  let target: Result<SyncTarget, any Error>

  /// The local file: `<root>/<user>/<percent-encoded path>.realm`.
  public var location: RealmLocation {
    let path = (try? target.get().path) ?? "invalid"
    let name = Self.fileName(of: path) + ".realm"
    return .file(path: user.folder.appendingPathComponent(name).path)
  }

  /// The longest name of a file without its endings, in bytes: with them it still fits the 255 of Linux.
  private static let maximumNameBytes = 200

  /// The path with everything escaped that a name cannot have; of a long one the beginning and a digest of the whole.
  private static func fileName(of path: String) -> String {
    let name = PercentCoding.encoded(path.drop { $0 == "/" })
    guard name.utf8.count > maximumNameBytes else { return name }
    return name.prefix(100) + "-" + hexText(Digest.sha256.hash(Array(path.utf8)))
  }

  /// One text for each realm of each user.
  public var identity: String { "\(user.userKey)\((try? target.get().path) ?? realmURL.absoluteString)" }

  /// One text for each realm on each server.
  public var realmIdentity: String {
    guard let target = try? target.get() else { return realmURL.absoluteString }
    return "\(target.server.authority)\(target.server.target) \(target.path)"
  }

  /// Starts the session of the file, or gives the one that runs.
  ///
  /// - Throws: ``SyncAuthError`` for a user who is logged out, a URL that names no realm, or a certificate that cannot be read; ``Realm/Error`` with
  ///   code `incompatibleHistories` when the file was synced in the other mode, `subscriptionFailed` for a mistake in the
  ///   initial subscriptions.
  public func attach(to file: RealmFile, of configuration: Realm.Configuration) throws -> any Sendable & AnyObject {
    guard user.isLoggedIn else {
      throw SyncAuthError(.invalidAccessToken, "the user of this realm is logged out", remedy: "log in, then open it")
    }
    try prepareSubscriptions(of: file)
    let session = try user.manager.client().open(
      file, at: try target.get(), tokens: try user.tokens, resets: resetPolicy(of: configuration),
      givesUpEarly: cancelAsyncOpenOnNonFatalErrors)
    session.remember(self)
    return session
  }

  /// Deletes the file first when the application has asked for that with the token of
  /// ``SyncError/deleteRealmUserInfo()``.
  ///
  /// - Throws: ``Realm/Error`` when the file system refuses.
  public func willOpen(fileAt path: String) throws { try FileDeletion(path: path).performIfAsked() }
}

extension SyncUser {
  /// The folder of the user's realms on this device.
  var folder: URL {
    manager.rootDirectory.appendingPathComponent(PercentCoding.encoded(userId.rawValue), isDirectory: true)
  }

  /// Makes the folder. One that cannot be made is reported by opening a realm in it.
  func makeFolder() {
    try? FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }

  /// The part of a realm's configuration about sync. Makes the user's folder.
  ///
  /// A URL that names no realm is reported by opening the realm.
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
  public func syncConfiguration(
    realmURL: URL? = nil, fullSynchronization: Bool = false, serverValidationPolicy: ServerValidationPolicy = .system,
    urlPrefix: String? = nil, cancelAsyncOpenOnNonFatalErrors: Bool = false,
    clientResetMode: ClientResetMode = .recoverUnsyncedChanges(), keepsBackupOfReset: Bool = false
  ) -> SyncConfiguration {
    let target = Result {
      try self.target(
        for: realmURL, urlPrefix: urlPrefix, policy: serverValidationPolicy,
        flavour: fullSynchronization ? .full : .flexible)
    }
    let url = realmURL ?? URL(string: "realm://\(auth.server.authority)/default") ?? URL(fileURLWithPath: "/default")
    makeFolder()
    return SyncConfiguration(
      user: self, realmURL: url, serverValidationPolicy: serverValidationPolicy,
      fullSynchronization: fullSynchronization, urlPrefix: urlPrefix,
      cancelAsyncOpenOnNonFatalErrors: cancelAsyncOpenOnNonFatalErrors, clientResetMode: clientResetMode,
      keepsBackupOfReset: keepsBackupOfReset, partitionValue: nil, target: target)
  }
}
