/// The user behind a client file, as far as the content of its view and its writes depend on them.
///
/// The server that authenticated the user states it; a client never does. A file whose user has roles inside the realm
/// holds what these let it read.
///
///     ViewAccess(user: "ann", followsLinks: true)
public struct ViewAccess: Hashable, Sendable {
  /// The user's identity.
  public var user: String
  /// Whether the user administers the server, and no role bounds them.
  public var isAdministrator: Bool
  /// The most that the access token allows, as bits of `Privileges`.
  public var tokenBound: UInt8
  /// Whether the view holds everything that its objects link to, and the users and roles of the realm: the query-based
  /// sync of the Realm Platform. Without it a view is exactly what its queries select, as in flexible sync.
  public var followsLinks: Bool
  /// Whether the user may hold the realm whole, whatever its roles say: its owner, and those who manage its access.
  public var mayHoldWhole: Bool

  /// A user; by default one whom nothing but roles bounds.
  public init(
    user: String, isAdministrator: Bool = false, tokenBound: UInt8 = 0x7f, followsLinks: Bool = false,
    mayHoldWhole: Bool = false
  ) {
    self.user = user
    self.isAdministrator = isAdministrator
    self.tokenBound = tokenBound
    self.followsLinks = followsLinks
    self.mayHoldWhole = mayHoldWhole
  }
}
