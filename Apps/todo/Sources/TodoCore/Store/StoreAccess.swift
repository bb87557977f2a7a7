/// A user's rights to the open lists: the server's last answer, kept for when it
/// cannot be reached.
public struct StoreAccess: Equatable, Sendable {
  /// The user's name.
  public var user: String
  /// The lists in words, such as `ann's lists`.
  public var place: String
  /// The right of the user.
  public var level: Access
  /// Whether the lists are the user's own.
  public var isOwn: Bool

  /// Rights of a user to lists.
  public init(user: String, place: String, level: Access, isOwn: Bool = false) {
    self.user = user
    self.place = place
    self.level = level
    self.isOwn = isOwn
  }

  /// The lists in words where they are somebody else's.
  public var foreignPlace: String? { isOwn ? nil : place }

  /// Whether the server would take a change.
  public var mayEdit: Bool { level != .read }

  /// The reason why an edit is refused, with what helps.
  public var rule: String { "\(user) may only read \(place): ask the owner for write access" }
}

/// A change that the server did not take, because the user may only read.
public struct RefusedWrite: Equatable, Sendable {
  /// The kind of object: `TodoItem`, `TodoList`.
  public var kind: String
  /// Its key.
  public var key: String
  /// The server's words.
  public var reason: String

  /// A change that was refused.
  public init(kind: String, key: String, reason: String) {
    self.kind = kind
    self.key = key
    self.reason = reason
  }
}
