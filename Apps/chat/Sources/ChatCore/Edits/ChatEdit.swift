import Foundation

/// One action of a user, as a value. A store performs it in one write transaction of each realm that it concerns.
public enum ChatEdit: Equatable, Sendable {
  case createRoom(key: String, name: String, isPrivate: Bool)
  case send(Post)
  /// Adds the user's reaction to a message of a room, or takes it back.
  case react(room: String, message: String, emoji: String, isOn: Bool)
  /// Gives a user a right to a private room; nil takes every right away.
  case setAccess(room: String, user: String, Access?)
  /// Makes another member the administrator of a private room; the user may go on writing there.
  case passAdministration(room: String, to: String)
  /// The user has seen the messages up to a date.
  case markRead(room: String, upTo: Date)
  /// Keeps what the user has begun to write.
  case keepDraft(room: String, text: String)
  case pin(room: String, isPinned: Bool)
  /// The user's colour for a room, 1 to 7; 0 for none.
  case colour(room: String, Int)
  /// The user's name in the directory.
  case rename(String)
}

/// A message that is to be sent.
public struct Post: Equatable, Hashable, Sendable {
  /// The key of the message.
  public var key: String
  /// The key of the room.
  public var room: String
  /// The text.
  public var body: String
  /// The key of the message that it answers.
  public var replyTo: String?
  /// The time of writing.
  public var sent: Date

  /// A message that is to be sent.
  public init(key: String, room: String, body: String, replyTo: String? = nil, sent: Date) {
    self.key = key
    self.room = room
    self.body = body
    self.replyTo = replyTo
    self.sent = sent
  }
}
