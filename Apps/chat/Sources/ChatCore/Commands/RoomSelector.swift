/// Finds the room and the message that words on the command line mean.
public enum RoomSelector {
  /// The reason why a word means nothing.
  public enum Failure: Error, Equatable, Sendable, CustomStringConvertible {
    case noRoom(String)
    case severalRooms(String, Int)
    case noMessage(String)
    case severalMessages(String)
    case noPerson(String)
    case severalPeople(String, Int)

    /// One sentence that names the word.
    public var description: String {
      switch self {
      case .noRoom(let word): "there is no room '\(word)', or you are no member; 'chat rooms' shows yours"
      case .severalRooms(let word, let count):
        "'\(word)' means \(count) rooms; use the key that 'chat rooms --json' shows"
      case .noMessage(let word): "no message here is '\(word)'; 'chat read --json' shows keys"
      case .severalMessages(let word): "'\(word)' means several messages; use more of the key"
      case .noPerson(let word): "nobody is called '\(word)'; 'chat people' shows everybody"
      case .severalPeople(let word, let count):
        "\(count) people are called '\(word)'; use the id that 'chat people' shows"
      }
    }
  }

  /// The room that a word means: a key, `#name` for a public room, or a name of either kind, whatever its case.
  public static func room(_ word: String, in chat: ChatSnapshot) throws(Failure) -> Room {
    if let room = chat.room(word) { return room }
    let exact = chat.rooms.filter { $0.name == word }
    let rooms = exact.isEmpty ? chat.rooms.filter { $0.name.lowercased() == word.lowercased() } : exact
    guard let room = rooms.first else { throw .noRoom(word) }
    guard rooms.count == 1 else { throw .severalRooms(word, rooms.count) }
    return room
  }

  /// The message of the open room that a word means: `last`, a key, or a beginning of a key of at least four characters.
  public static func message(_ word: String, in chat: ChatSnapshot) throws(Failure) -> Message {
    if word == "last", let last = chat.messages.last { return last }
    if let message = chat.message(word) { return message }
    let matches = word.count >= 4 ? chat.messages.filter { $0.key.hasPrefix(word) } : []
    guard let message = matches.first else { throw .noMessage(word) }
    guard matches.count == 1 else { throw .severalMessages(word) }
    return message
  }

  /// The person that a word means: an id, or a name whatever its case.
  public static func person(_ word: String, in chat: ChatSnapshot) throws(Failure) -> Person {
    if let person = chat.person(word) { return person }
    let count = chat.people.count { $0.name.lowercased() == word.lowercased() }
    throw count > 1 ? .severalPeople(word, count) : .noPerson(word)
  }
}
