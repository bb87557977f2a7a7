public import FoundationEssentials

/// An open invitation to a realm: whoever presents the token before it expires receives the access level.
public final class SyncPermissionOffer: Hashable, Sendable {
  /// The path of the realm.
  public let realmPath: String
  /// The secret that the recipient presents.
  public let token: String
  /// When it ends; nil for never.
  public let expiresAt: Date?
  /// When it was made.
  public let createdAt: Date?
  /// What the recipient will be able to do.
  public let accessLevel: SyncAccessLevel

  /// An offer with all its parts.
  public init(realmPath: String, token: String, expiresAt: Date?, createdAt: Date?, accessLevel: SyncAccessLevel) {
    self.realmPath = realmPath
    self.token = token
    self.expiresAt = expiresAt
    self.createdAt = createdAt
    self.accessLevel = accessLevel
  }

  public static func == (left: SyncPermissionOffer, right: SyncPermissionOffer) -> Bool { left.token == right.token }
  public func hash(into hasher: inout Hasher) { hasher.combine(token) }
}
