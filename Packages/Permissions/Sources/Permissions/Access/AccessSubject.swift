/// A user as shown by an access token, with the bounds that the token sets.
public struct AccessSubject: Hashable, Sendable {
  /// The user.
  public var user: UserId
  /// Whether the user administers the server.
  public var isAdministrator: Bool
  /// The only realm that the token is for; nil for all.
  public var tokenPath: RealmPath?
  /// The most that the token allows, whatever the user may.
  public var tokenLevel: AccessLevel

  /// A user; by default with an unbounded token.
  public init(
    user: UserId, isAdministrator: Bool = false, tokenPath: RealmPath? = nil, tokenLevel: AccessLevel = .admin
  ) {
    self.user = user
    self.isAdministrator = isAdministrator
    self.tokenPath = tokenPath
    self.tokenLevel = tokenLevel
  }
}

/// The facts about one realm that a decision depends on.
public struct RealmFacts: Hashable, Sendable {
  /// The realm.
  public var path: RealmPath
  /// Whether the server has it.
  public var exists: Bool
  /// All grants on this path, and on the reference realm of a partial view; the order has no meaning.
  public var grants: [Grant]
  /// Whether the server has the reference realm of a partial view; nil for every other realm.
  public var referenceExists: Bool?

  /// Facts about one realm.
  public init(path: RealmPath, exists: Bool, grants: [Grant] = [], referenceExists: Bool? = nil) {
    self.path = path
    self.exists = exists
    self.grants = grants
    self.referenceExists = referenceExists
  }
}
