import Foundation

/// A room as its user sees it: what all members share, and what the user alone keeps about it.
public struct Room: Equatable, Sendable {
  /// Identifies the room on every device: `#name` of a public room, random digits of a private one.
  public let key: String
  /// The name.
  public var name: String
  /// Whether only members see the room.
  public var isPrivate: Bool
  /// The user's right.
  public var access: Access
  /// The members of a private room, by id; empty for a public one.
  public var members: [Member]
  /// The number of messages of others that the user has not read, among those on this device.
  public var unread: Int
  /// The date of the last message on this device.
  public var lastSent: Date?
  /// The date up to which the user has read.
  public var readUpTo: Date?
  /// Whether the user keeps the room at the top.
  public var isPinned: Bool
  /// The user's colour for the room, 1 to 7 of the palette; 0 for none.
  public var colour: Int
  /// The text that the user has begun to write there.
  public var draft: String

  /// A room.
  public init(
    key: String, name: String, isPrivate: Bool = false, access: Access = .write, members: [Member] = [],
    unread: Int = 0, lastSent: Date? = nil, readUpTo: Date? = nil, isPinned: Bool = false, colour: Int = 0,
    draft: String = ""
  ) {
    self.key = key
    self.name = name
    self.isPrivate = isPrivate
    self.access = access
    self.members = members
    self.unread = unread
    self.lastSent = lastSent
    self.readUpTo = readUpTo
    self.isPinned = isPinned
    self.colour = colour
    self.draft = draft
  }

  /// The mark before the name: `#` for public rooms, `⌂` for private ones.
  public var mark: String { isPrivate ? "⌂" : "#" }

  /// The members who may change who is a member.
  public var managers: [Member] { members.filter { $0.access == .manage } }
}
