public import FoundationEssentials

/// An open invitation to a realm: every user who presents the token before it expires receives the access level.
/// Instances never change and can be used from any thread.
public final class SyncPermissionOffer: Hashable, Sendable {
  /// The path of the realm.
  public let realmPath: String
  /// The secret that the recipient presents.
  public let token: String
  /// The end of the offer; nil for never.
  public let expiresAt: Date?
  /// The time of creation.
  public let createdAt: Date?
  /// The level that the recipient receives.
  public let accessLevel: SyncAccessLevel

  /// An offer with all its parts.
  public init(realmPath: String, token: String, expiresAt: Date?, createdAt: Date?, accessLevel: SyncAccessLevel) {
    self.realmPath = realmPath
    self.token = token
    self.expiresAt = expiresAt
    self.createdAt = createdAt
    self.accessLevel = accessLevel
  }

  /// Whether the tokens are equal.
  public static func == (left: SyncPermissionOffer, right: SyncPermissionOffer) -> Bool { left.token == right.token }
  /// Adds the token.
  public func hash(into hasher: inout Hasher) { hasher.combine(token) }
}
