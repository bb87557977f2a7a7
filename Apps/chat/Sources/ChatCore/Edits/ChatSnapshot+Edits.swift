import Foundation

extension ChatSnapshot {
  /// The snapshot after an edit of its user, as the screen shows it until the store confirms it. What does not fit is left
  /// out.
  public func after(_ edit: ChatEdit) -> ChatSnapshot {
    var chat = self
    switch edit {
    case .createRoom(let key, let name, let isPrivate):
      guard chat.room(key) == nil else { break }
      let members = isPrivate ? [Member(id: me.id, access: .manage)] : []
      chat.add(Room(key: key, name: name, isPrivate: isPrivate, access: isPrivate ? .manage : .write, members: members))
    case .send(let post):
      chat.changeRoom(post.room) { $0.lastSent = max($0.lastSent ?? post.sent, post.sent) }
      guard post.room == openRoom, chat.message(post.key) == nil else { break }
      chat.messages.append(
        Message(
          key: post.key, author: me.id, body: post.body, sent: post.sent, replyTo: post.replyTo, delivery: .written))
      chat.messages.sort { ($0.sent, $0.key) < ($1.sent, $1.key) }
    case .react(_, let key, let emoji, let isOn):
      guard let index = chat.messages.firstIndex(where: { $0.key == key }) else { break }
      let reaction = Reaction(emoji: emoji, author: me.id)
      chat.messages[index].reactions.removeAll { $0 == reaction }
      if isOn { chat.messages[index].reactions.append(reaction) }
    case .setAccess(let key, let user, let access): chat.changeRoom(key) { $0.set(access, of: user, me: me.id) }
    case .passAdministration(let key, let user):
      chat.changeRoom(key) { room in
        room.set(.manage, of: user, me: me.id)
        room.set(.write, of: me.id, me: me.id)
      }
    case .markRead(let key, let date):
      chat.changeRoom(key) { room in
        guard room.readUpTo.map({ $0 < date }) ?? true else { return }
        room.readUpTo = date
        if key == openRoom {
          room.unread = messages.count { $0.author != me.id && $0.sent > date }
        }
      }
    case .keepDraft(let key, let text): chat.changeRoom(key) { $0.draft = text }
    case .pin(let key, let isPinned): chat.changeRoom(key) { $0.isPinned = isPinned }
    case .colour(let key, let colour): chat.changeRoom(key) { $0.colour = max(0, min(7, colour)) }
    case .rename(let name):
      chat.me.name = name
      chat.people.removeAll { $0.id == me.id }
      chat.people.append(chat.me)
      chat.people.sort { ($0.name.lowercased(), $0.id) < ($1.name.lowercased(), $1.id) }
    }
    return chat
  }
}

extension Room {
  /// Gives a user a right, or takes it away.
  fileprivate mutating func set(_ newAccess: Access?, of user: String, me: String) {
    members.removeAll { $0.id == user }
    if let newAccess {
      members.append(Member(id: user, access: newAccess))
      members.sort { $0.id < $1.id }
      if user == me { access = newAccess }
    }
  }
}
