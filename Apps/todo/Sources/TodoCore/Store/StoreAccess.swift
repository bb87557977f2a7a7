/// What the user may do with the lists that are open, as far as is known: the server's last answer, kept for when it
/// cannot be reached.
public struct StoreAccess: Equatable, Sendable {
  /// The user's name.
  public var user: String
  /// Whose lists they are, or where, as people are told.
  public var place: String
  public var level: Access

  /// What a user may do with the lists of a place.
  public init(user: String, place: String, level: Access) {
    self.user = user
    self.place = place
    self.level = level
  }

  /// Whether the server would take a change.
  public var mayEdit: Bool { level != .read }

  /// Why an edit is refused, and what helps.
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
