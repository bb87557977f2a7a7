import Foundation
import ObjectStore
import RecordStore
import SyncProtocol
import Transport

/// Which realm on which server a local realm is kept in step with, and on whose behalf.
///
/// Made by `SyncUser.configuration(realmURL:)`.
public struct SyncConfiguration: ReplicationConfiguration {
  /// On whose behalf.
  public let user: SyncUser
  /// Where the realm is.
  public let realmURL: URL
  /// How the server proves who it is.
  public let serverValidationPolicy: ServerValidationPolicy
  /// Whether the whole realm is synced, rather than what queries select.
  public let fullSynchronization: Bool
  /// The service path on the server; `/realm-sync` unless given.
  public let urlPrefix: String?
  /// Whether opening asynchronously gives up on the first error.
  public let cancelAsyncOpenOnNonFatalErrors: Bool
  /// What happens when the server cannot continue the file's history.
  public let clientResetMode: ClientResetMode
  let target: Result<SyncTarget, any Error>

  /// The local file: `<root>/<user>/<percent-encoded path>.realm`.
  public var location: RealmLocation {
    let path = (try? target.get().path) ?? "invalid"
    let name = PercentCoding.encoded(path.drop { $0 == "/" }) + ".realm"
    return .file(path: user.folder.appendingPathComponent(name).path)
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
  /// - Throws: ``SyncAuthError`` for a URL that names no realm, or a certificate that cannot be read.
  public func attach(to file: RealmFile) throws -> any Sendable & AnyObject {
    let session = try user.manager.client().open(
      file, at: try target.get(), tokens: try user.tokens, resets: resetPolicy,
      givesUpEarly: cancelAsyncOpenOnNonFatalErrors)
    session.remember(self)
    return session
  }
}

extension SyncUser {
  /// Where the user's realms are kept on this device.
  var folder: URL {
    manager.rootDirectory.appendingPathComponent(PercentCoding.encoded(id.rawValue), isDirectory: true)
  }

  /// What keeps a realm of a server in step: the part of a realm's configuration that is about sync. Makes the user's folder.
  ///
  /// - Parameters:
  ///   - realmURL: such as `realm://localhost:9080/~/todo`, where `~` is the user; nil for the server's default realm.
  ///   - fullSynchronization: true: the whole realm. Only this kind is served at present.
  ///   - serverValidationPolicy: how the server proves who it is over TLS.
  ///   - urlPrefix: the service path, `/realm-sync` unless given.
  ///   - clientResetMode: what happens when the server cannot continue the file's history.
  public func syncConfiguration(
    realmURL: URL? = nil, fullSynchronization: Bool = false, serverValidationPolicy: ServerValidationPolicy = .system,
    urlPrefix: String? = nil, cancelAsyncOpenOnNonFatalErrors: Bool = false,
    clientResetMode: ClientResetMode = .recoverUnsyncedChanges()
  ) -> SyncConfiguration {
    let target = Result { try self.target(for: realmURL, urlPrefix: urlPrefix, policy: serverValidationPolicy) }
    let url = realmURL ?? URL(string: "realm://\(auth.server.authority)/default") ?? URL(fileURLWithPath: "/default")
    // When the folder cannot be made, opening the realm says so.
    try? FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    return SyncConfiguration(
      user: self, realmURL: url, serverValidationPolicy: serverValidationPolicy,
      fullSynchronization: fullSynchronization, urlPrefix: urlPrefix,
      cancelAsyncOpenOnNonFatalErrors: cancelAsyncOpenOnNonFatalErrors, clientResetMode: clientResetMode,
      target: target)
  }
}
