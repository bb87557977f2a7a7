extension ChatEdit {
  /// Refuses an edit that cannot be done, or that the server would refuse by what this device knows of the user's rights.
  ///
  /// - Throws: ``EditError`` with what helps.
  public func check(on chat: ChatSnapshot) throws(EditError) {
    switch self {
    case .createRoom(let key, let name, let isPrivate):
      guard Keys.name(name) != nil else { throw .noName }
      if !isPrivate, chat.room(key) != nil { throw .roomExists(name) }
    case .send(let post):
      let room = try Self.room(post.room, in: chat)
      guard Keys.body(post.body) != nil else { throw .nothingToSend }
      guard post.body.count <= Keys.bodyLimit else { throw .messageTooLong(post.body.count) }
      guard room.access >= .write else { throw .readOnly(room.name) }
    case .react(let key, _, let emoji, _):
      let room = try Self.room(key, in: chat)
      guard Keys.reaction(emoji) != nil else { throw .noReaction(emoji) }
      guard room.access >= .write else { throw .readOnly(room.name) }
    case .setAccess(let key, let user, let access): try Self.checkMembers(key, user, access, in: chat)
    case .passAdministration(let key, let user):
      try Self.checkMembers(key, user, .manage, in: chat)
      guard user != chat.me.id else { throw .alreadyAdministrator }
    case .markRead(let key, _), .keepDraft(let key, _), .pin(let key, _), .colour(let key, _):
      _ = try Self.room(key, in: chat)
    case .rename(let name):
      guard Keys.name(name) != nil else { throw .noName }
    }
  }

  private static func room(_ key: String, in chat: ChatSnapshot) throws(EditError) -> Room {
    guard let room = chat.room(key) else { throw .roomIsGone }
    return room
  }

  private static func checkMembers(
    _ key: String, _ user: String, _ access: Access?, in chat: ChatSnapshot
  ) throws(EditError) {
    let room = try room(key, in: chat)
    guard room.isPrivate else { throw .roomIsPublic(room.name) }
    guard room.access == .manage else { throw .mayNotManage(room.name) }
    if access == nil, !room.members.contains(where: { $0.id == user }) { throw .noMember(chat.name(of: user)) }
    // A room without an administrator could never get another member.
    if access != .manage, room.managers.map(\.id) == [user] { throw .lastAdministrator(room.name) }
  }
}

/// The reason why an edit cannot be done.
public enum EditError: Error, Equatable, Sendable, CustomStringConvertible {
  case roomIsGone
  case roomExists(String)
  case noName
  case nothingToSend
  case messageTooLong(Int)
  case readOnly(String)
  case noReaction(String)
  case roomIsPublic(String)
  case mayNotManage(String)
  case noMember(String)
  case lastAdministrator(String)
  case alreadyAdministrator
  case neverConnected(String)

  /// One sentence with what helps.
  public var description: String {
    switch self {
    case .roomIsGone: "the room is gone, or you are no member any more"
    case .roomExists(let name): "there is a room '\(name)' already; open it"
    case .noName: "a name is needed"
    case .nothingToSend: "there is nothing to send"
    case .messageTooLong(let count): "the message has \(count) characters; send it in parts of \(Keys.bodyLimit)"
    case .readOnly(let name): "you may only read '\(name)': ask its administrator for write access"
    case .noReaction(let text): "'\(text)' is no reaction: give one character, such as 👍"
    case .roomIsPublic(let name): "'\(name)' is public: everyone is a member"
    case .mayNotManage(let name): "you may not change the members of '\(name)': ask its administrator"
    case .noMember(let name): "\(name) is no member of the room"
    case .lastAdministrator(let name): "'\(name)' needs an administrator: pass administration on first"
    case .alreadyAdministrator: "you are the administrator already"
    case .neverConnected(let name): "the server does not know \(name) in this chat yet: \(name) must open it once"
    }
  }
}
