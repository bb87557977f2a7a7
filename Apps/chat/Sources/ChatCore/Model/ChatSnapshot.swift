import Foundation

/// Everything that the screen and the commands show, at one moment.
public struct ChatSnapshot: Equatable, Sendable {
  /// The user.
  public var me: Person
  /// All people of the directory, the user included, by name.
  public var people: [Person]
  /// The rooms that the user may see: pinned ones first, then by name.
  public private(set) var rooms: [Room]
  /// The key of the room whose messages are here; nil for none.
  public var openRoom: String?
  /// The messages of the open room that are on this device, oldest first.
  public var messages: [Message]
  /// Whether the room has earlier messages that are not on this device.
  public var hasOlder: Bool
  /// The keys of messages before which others are missing on this device: the search brings pages out of their order.
  public var gaps: Set<String>
  /// The answer to the last search.
  public var search: SearchAnswer?

  /// A snapshot; sorts rooms, people and messages.
  public init(
    me: Person, people: [Person] = [], rooms: [Room] = [], openRoom: String? = nil, messages: [Message] = [],
    hasOlder: Bool = false, gaps: Set<String> = [], search: SearchAnswer? = nil
  ) {
    self.me = me
    self.people = people.sorted { ($0.name.lowercased(), $0.id) < ($1.name.lowercased(), $1.id) }
    self.rooms = rooms.sorted(by: Self.comesFirst)
    self.openRoom = openRoom
    self.messages = messages.sorted { ($0.sent, $0.key) < ($1.sent, $1.key) }
    self.hasOlder = hasOlder
    self.gaps = gaps
    self.search = search
  }

  private static func comesFirst(_ left: Room, _ right: Room) -> Bool {
    guard left.isPinned == right.isPinned else { return left.isPinned }
    return (left.name.lowercased(), left.key) < (right.name.lowercased(), right.key)
  }

  /// Changes the room with a key; nothing where there is none.
  public mutating func changeRoom(_ key: String, _ change: (inout Room) -> Void) {
    guard let index = rooms.firstIndex(where: { $0.key == key }) else { return }
    change(&rooms[index])
    rooms.sort(by: Self.comesFirst)
  }

  /// Adds a room in its place.
  public mutating func add(_ room: Room) {
    rooms.append(room)
    rooms.sort(by: Self.comesFirst)
  }

  /// The room with a key.
  public func room(_ key: String?) -> Room? { rooms.first { $0.key == key } }

  /// The message of the open room with a key.
  public func message(_ key: String?) -> Message? { messages.first { $0.key == key } }

  /// The name of a user: that of the directory, else the beginning of the id.
  public func name(of id: String) -> String {
    people.first { $0.id == id }?.name ?? (id == me.id ? me.name : "user " + id.prefix(8))
  }

  /// The person that a word means: an id, or a name whatever its case; nil for none, and for a name of several people.
  public func person(_ word: String) -> Person? {
    if let person = people.first(where: { $0.id == word }) { return person }
    let named = people.filter { $0.name.lowercased() == word.lowercased() }
    return named.count == 1 ? named[0] : nil
  }

  /// The number of messages of others that the user has not read, in all rooms.
  public var unread: Int { rooms.reduce(0) { $0 + $1.unread } }
}

/// The messages with some words, among those on this device and, as they arrive, those that the server has found.
public struct SearchAnswer: Equatable, Sendable {
  /// A message and the room that it stands in.
  public struct Hit: Equatable, Sendable {
    /// The key of the room.
    public var room: String
    /// The message.
    public var message: Message

    /// A hit.
    public init(room: String, message: Message) {
      self.room = room
      self.message = message
    }
  }

  /// The words searched for.
  public var text: String
  /// The messages found, newest first.
  public var hits: [Hit]
  /// Whether the server has answered.
  public var isComplete: Bool

  /// An answer.
  public init(text: String, hits: [Hit], isComplete: Bool) {
    self.text = text
    self.hits = hits
    self.isComplete = isComplete
  }
}
