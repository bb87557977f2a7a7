import RealmSwift

/// A room that everyone sees and writes in.
///
/// The messages of a room stand on pages. A page counts when its key is in ``pages``, so that only those who may change
/// the room can add to what it shows.
final class PublicChatRoom: Object {
  @Persisted(primaryKey: true) var name: String
  /// The keys of the pages, oldest first. Keys, not links: what a readable object links to is readable and comes along,
  /// and the history is to come page by page.
  @Persisted var pages: List<String>

  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// A room that its members see.
final class PrivateChatRoom: Object {
  @Persisted(primaryKey: true) var _id: String
  @Persisted var name: String
  /// The keys of the pages, oldest first.
  @Persisted var pages: List<String>
  /// The access list: an entry for each member. The same entries are in the lists of the room's pages and read marks.
  @Persisted var permissions: List<Permission>

  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// Up to ``capacity`` messages of a room. The unit in which history is asked for and shared.
final class MessagePage: Object {
  /// The number of messages after which writers begin another page.
  static let capacity = 50

  /// Random, so that nobody can make the page before those who need it.
  @Persisted(primaryKey: true) var _id: String
  /// The key of the room: `#name` of a public one.
  @Persisted(indexed: true) var room: String
  /// The time of its first message: the order of pages, and the key for asking for earlier ones.
  @Persisted var opened: Date
  @Persisted var messages: List<Message>
  /// Reactions stand on the page, because messages do not change once they are written.
  @Persisted var reactions: List<Reaction>
  /// The access list: that of the room, or everyone.
  @Persisted var permissions: List<Permission>

  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// A text that somebody said. Nobody can ask for messages: they come with the page that links to them.
final class Message: Object {
  @Persisted(primaryKey: true) var _id: String
  @Persisted var body: String
  /// The id of the author, for display: the access lists say who may write.
  @Persisted var author: String
  @Persisted var sent: Date
  /// The key of the message that it answers.
  @Persisted var replyTo: String?

  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// One person's reaction to a message of the same page.
final class Reaction: EmbeddedObject {
  /// The key of the message.
  @Persisted var message: String
  @Persisted var author: String
  @Persisted var emoji: String

  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// How far a member has read a room.
final class ReadMark: Object {
  /// Room and user.
  @Persisted(primaryKey: true) var _id: String
  @Persisted(indexed: true) var room: String
  @Persisted var user: String
  @Persisted var upTo: Date
  /// The access list: that of the room, and the user's own entry.
  @Persisted var permissions: List<Permission>

  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}
