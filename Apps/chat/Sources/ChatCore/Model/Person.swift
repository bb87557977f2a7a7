/// A user of the chat, as the directory knows it.
public struct Person: Equatable, Hashable, Sendable {
  /// The server's id of the user.
  public let id: String
  /// The name shown to others. Users choose it themselves: access is given to ids.
  public var name: String

  /// A person.
  public init(id: String, name: String) {
    self.id = id
    self.name = name
  }
}

/// The right of a member to a room. Each includes those before it.
public enum Access: String, CaseIterable, Comparable, Sendable {
  /// Reading what is said.
  case read
  /// Saying something.
  case write
  /// Changing who is a member.
  case manage

  /// Rights are ordered by what they include.
  public static func < (left: Access, right: Access) -> Bool { left.rank < right.rank }

  private var rank: Int {
    switch self {
    case .read: 0
    case .write: 1
    case .manage: 2
    }
  }
}

/// A member of a private room.
public struct Member: Equatable, Sendable {
  /// The server's id of the user.
  public let id: String
  /// The right of the member.
  public var access: Access

  /// A member.
  public init(id: String, access: Access) {
    self.id = id
    self.access = access
  }
}
