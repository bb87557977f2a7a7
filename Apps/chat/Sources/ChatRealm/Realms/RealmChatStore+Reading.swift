import ChatCore
import RealmSwift

/// Live objects as values. On the queue.
extension RealmChatStore {
  /// People and rooms, without messages.
  ///
  /// - Complexity: O(*n*) in people, in rooms, and in the messages of their pages that are not read to the beginning.
  func readRooms() -> ChatSnapshot {
    let people = realms.directory.objects(Person.self).map { ChatCore.Person(id: $0._id, name: $0.name) }
    let own = people.first { $0.id == me.id } ?? me
    return ChatSnapshot(me: own, people: Array(people), rooms: publicRooms() + privateRooms())
  }

  /// - Complexity: that of ``readRooms()``, and O(*n*) in the messages of the open room that are on this device.
  func readSnapshot() throws -> ChatSnapshot {
    var chat = readRooms()
    guard let key = history?.room, let pages = pages(of: key) else {
      chat.search = readSearch()
      return chat
    }
    let held = heldPages(pages)
    let messages = held.flatMap(\.messages.elements)
    var reactions: [String: [ChatCore.Reaction]] = [:]
    for page in held {
      for reaction in page.reactions {
        reactions[reaction.message, default: []].append(.init(emoji: reaction.emoji, author: reaction.author))
      }
    }
    let delivery = Deliveries(self, room: key)
    var seen: Set<String> = []
    chat = ChatSnapshot(
      me: chat.me, people: chat.people, rooms: chat.rooms, openRoom: key,
      messages: messages.filter { seen.insert($0._id).inserted }.map { message in
        ChatCore.Message(
          key: message._id, author: message.author, body: message.body, sent: message.sent, replyTo: message.replyTo,
          reactions: reactions[message._id] ?? [], delivery: delivery.of(message))
      },
      hasOlder: held.count < pages.count, gaps: gaps(pages), search: readSearch())
    return chat
  }

  /// The first messages of pages that are here while the one before is not, though an earlier one is.
  private func gaps(_ keys: List<String>) -> Set<String> {
    var gaps: Set<String> = []
    var (isAnyHere, isLastHere) = (false, false)
    for key in keys {
      let page = realms.rooms.object(ofType: MessagePage.self, forPrimaryKey: key)
      if isAnyHere, !isLastHere, let first = page?.messages.elements.first { gaps.insert(first._id) }
      isLastHere = page != nil
      isAnyHere = isAnyHere || isLastHere
    }
    return gaps
  }

  private func publicRooms() -> [Room] {
    let access: Access = realms.rooms.getPrivileges(MessagePage.self).contains(.update) ? .write : .read
    return realms.rooms.objects(PublicChatRoom.self).map { room in
      var shown = Room(key: Keys.publicRoom(named: room.name), name: room.name, access: access)
      complete(&shown, room.pages)
      return shown
    }
  }

  private func privateRooms() -> [Room] {
    realms.rooms.objects(PrivateChatRoom.self).map { room in
      let privileges = realms.rooms.getPrivileges(room)
      let access: Access =
        privileges.contains(.setPermissions) ? .manage : privileges.contains(.update) ? .write : .read
      var shown = Room(
        key: room._id, name: room.name, isPrivate: true, access: access, members: room.permissions.members)
      complete(&shown, room.pages)
      return shown
    }
  }

  /// Adds what the user keeps about a room, and what is unread there.
  private func complete(_ room: inout Room, _ pages: List<String>) {
    if let setting = realms.settings.object(ofType: RoomSetting.self, forPrimaryKey: room.key) {
      room.readUpTo = setting.readUpTo
      room.isPinned = setting.isPinned
      room.colour = max(0, min(7, setting.colour))
      room.draft = setting.draft
    }
    let readUpTo = room.readUpTo
    for page in heldPages(pages).reversed() {
      if let last = page.messages.map(\.sent).max() { room.lastSent = max(room.lastSent ?? last, last) }
      let unread = page.messages.filter { message in
        message.author != self.me.id && (readUpTo.map { message.sent > $0 } ?? true)
      }
      room.unread += unread.count
      // A page that was read to its beginning has only read ones before it.
      if unread.count < page.messages.count, readUpTo != nil { break }
    }
  }

  /// The keys of a room's pages, oldest first; nil for a room that is not here.
  func pages(of room: String) -> List<String>? {
    if let name = Keys.publicName(of: room) {
      return realms.rooms.object(ofType: PublicChatRoom.self, forPrimaryKey: name)?.pages
    }
    return realms.rooms.object(ofType: PrivateChatRoom.self, forPrimaryKey: room)?.pages
  }

  /// The pages that are on this device, oldest first. Pages that the room does not name are not its own.
  func heldPages(_ keys: List<String>) -> [MessagePage] {
    keys.compactMap { realms.rooms.object(ofType: MessagePage.self, forPrimaryKey: $0) }
  }
}

extension List where Element == Message {
  /// The messages that are here. A link to an object that another device deleted leads nowhere.
  var elements: [Message] { filter { !$0.isInvalidated } }
}
