import RealmSwift

/// A user, in the directory: a realm that is synced whole.
final class Person: Object {
  /// The server's id of the user.
  @Persisted(primaryKey: true) var _id: String
  @Persisted var name: String

  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// The choices and marks of a user about a room, in the user's own realm.
final class RoomSetting: Object {
  /// The key of the room.
  @Persisted(primaryKey: true) var _id: String
  @Persisted var readUpTo: Date?
  @Persisted var draft: String
  @Persisted var isPinned: Bool
  /// 1 to 7 of the palette; 0 for none.
  @Persisted var colour: Int

  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// A message of this device that the server has not confirmed, in a local realm: its text survives a refusal, also one that
/// comes after the program has ended.
final class Outgoing: Object {
  /// The key of the message.
  @Persisted(primaryKey: true) var _id: String
  @Persisted var room: String
  /// The key of the page that it was written on.
  @Persisted var page: String
  @Persisted var body: String
  @Persisted var replyTo: String?
  @Persisted var sent: Date

  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}
