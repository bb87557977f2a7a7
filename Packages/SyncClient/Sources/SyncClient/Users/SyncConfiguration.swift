import Foundation
import ObjectStore
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
  let target: Result<SyncTarget, any Error>

  /// The local file: `<root>/<user>/<percent-encoded path>.realm`.
  public var location: RealmLocation {
    let path = (try? target.get().path) ?? "invalid"
    let url = user.manager.rootDirectory
      .appendingPathComponent(PercentCoding.encoded(user.id.rawValue), isDirectory: true)
      .appendingPathComponent(PercentCoding.encoded(path.drop { $0 == "/" }) + ".realm")
    return .file(path: url.path)
  }

  /// One text for each realm of each user.
  public var identity: String { "\(user.userKey)\((try? target.get().path) ?? realmURL.absoluteString)" }

  /// Starts the session of the file, or gives the one that runs.
  ///
  /// - Throws: ``SyncAuthError`` for a URL that names no realm, or a certificate that cannot be read.
  public func attach(to file: RealmFile) throws -> any Sendable & AnyObject {
    try user.manager.client().open(file, at: try target.get(), tokens: try user.tokens)
  }
}
