import ChatCore
import RealmSwift

/// Edits as writes of live objects. On the queue.
extension RealmChatStore {
  func write(_ edit: ChatEdit) throws {
    switch edit {
    case .createRoom(let key, let name, let isPrivate): try createRoom(key, name, isPrivate)
    case .send(let post): try send(post)
    case .react(let room, let message, let emoji, let isOn): try react(room, message, emoji, isOn)
    case .setAccess(let room, let user, let access): try setAccess(room, [(user, access)])
    case .passAdministration(let room, let user): try setAccess(room, [(user, .manage), (me.id, .write)])
    case .markRead(let room, let date): try markRead(room, date)
    case .keepDraft(let room, let text): try keep(room) { $0.draft = text }
    case .pin(let room, let isPinned): try keep(room) { $0.isPinned = isPinned }
    case .colour(let room, let colour): try keep(room) { $0.colour = max(0, min(7, colour)) }
    case .rename(let name):
      try realms.directory.write {
        realms.directory.create(Person.self, value: ["_id": me.id, "name": name], update: .modified)
      }
    }
  }

  /// Changes what the user keeps about a room.
  func keep(_ room: String, _ change: (RoomSetting) -> Void) throws {
    let realm = realms.settings
    try realm.write {
      change(
        realm.object(ofType: RoomSetting.self, forPrimaryKey: room)
          ?? realm.create(RoomSetting.self, value: ["_id": room]))
    }
  }

  private func createRoom(_ key: String, _ name: String, _ isPrivate: Bool) throws {
    let realm = realms.rooms
    try realm.write {
      guard isPrivate else {
        realm.create(PublicChatRoom.self, value: ["name": name])
        return
      }
      let room = realm.create(PrivateChatRoom.self, value: ["_id": key, "name": name])
      // Creating gives no privilege: the creator takes them all, to change the list later.
      room.permissions.findOrCreate(forRoleNamed: Permission.privateRole(of: me.id)).set(.manage)
    }
  }

  /// Writes a message on the last page of its room, or on a new one. Its text is kept until the server has confirmed it.
  private func send(_ post: Post) throws {
    let realm = realms.rooms
    guard let pages = pages(of: post.room) else { throw EditError.roomIsGone }
    let last = heldPages(pages).last.flatMap { $0.messages.count < MessagePage.capacity ? $0 : nil }
    var random = SystemRandomNumberGenerator()
    let page = last?._id ?? Keys.random(using: &random)
    try realms.outbox.write {
      let kept = Outgoing()
      (kept._id, kept.room, kept.page) = (post.key, post.room, page)
      (kept.body, kept.replyTo, kept.sent) = (post.body, post.replyTo, post.sent)
      realms.outbox.add(kept, update: .modified)
    }
    try realm.write {
      let message = Message()
      (message._id, message.body, message.author) = (post.key, post.body, me.id)
      (message.sent, message.replyTo) = (post.sent, post.replyTo)
      let target = last ?? newPage(page, of: post, pages)
      target.messages.append(message)
    }
    confirmOutbox()
  }

  private func newPage(_ key: String, of post: Post, _ pages: List<String>) -> MessagePage {
    let page = realms.rooms.create(
      MessagePage.self, value: ["_id": key, "room": post.room, "opened": post.sent] as [String: Any])
    shareAccess(of: post.room, with: page.permissions)
    pages.append(key)
    return page
  }

  /// Gives an object of a room the access list of the room. Public rooms have none: everyone reads and writes.
  private func shareAccess(of room: String, with list: List<Permission>) {
    if let room = realms.rooms.object(ofType: PrivateChatRoom.self, forPrimaryKey: room) {
      list.share(room.permissions)
    } else {
      list.findOrCreate(forRoleNamed: "everyone").set(.write)
    }
  }

  private func react(_ room: String, _ message: String, _ emoji: String, _ isOn: Bool) throws {
    guard let pages = pages(of: room),
      let page = heldPages(pages).first(where: { page in page.messages.contains { $0._id == message } })
    else { throw EditError.roomIsGone }
    try realms.rooms.write {
      // While apart, two devices may have added the same reaction.
      for index in page.reactions.indices.reversed() {
        let reaction = page.reactions[index]
        if reaction.message == message, reaction.author == me.id, reaction.emoji == emoji {
          page.reactions.remove(at: index)
        }
      }
      guard isOn else { return }
      let reaction = Reaction()
      (reaction.message, reaction.author, reaction.emoji) = (message, me.id, emoji)
      page.reactions.append(reaction)
    }
  }

  /// Gives members rights, in the entries that room, pages and marks share.
  private func setAccess(_ key: String, _ rights: [(user: String, access: Access?)]) throws {
    let realm = realms.rooms
    guard let room = realm.object(ofType: PrivateChatRoom.self, forPrimaryKey: key) else { throw EditError.roomIsGone }
    for right in rights where right.access != nil {
      let role = Permission.privateRole(of: right.user)
      // Only the server makes roles: it does when a user first opens the rooms.
      guard realm.object(ofType: PermissionRole.self, forPrimaryKey: role) != nil || !isSynced else {
        throw EditError.neverConnected(readRooms().name(of: right.user))
      }
    }
    try realm.write {
      for right in rights {
        room.permissions.findOrCreate(forRoleNamed: Permission.privateRole(of: right.user)).set(right.access)
      }
      for page in realm.objects(MessagePage.self).filter("room == %@", key) { page.permissions.share(room.permissions) }
      for mark in realm.objects(ReadMark.self).filter("room == %@", key) { mark.permissions.share(room.permissions) }
    }
    // Pages that come later are completed when they do.
    if rights.contains(where: { $0.access != nil }) { subscribeToHistory(of: key) }
  }

  /// Gives members the pages of a room that lack their entries, in rooms that the user administrates: pages that were not here
  /// when somebody became a member, and those that others began without knowing of it.
  ///
  /// - Complexity: O(*n*) in the pages of these rooms that are on this device, with their entries.
  func completeLists() {
    let realm = realms.rooms
    for room in realm.objects(PrivateChatRoom.self) where realm.getPrivileges(room).contains(.setPermissions) {
      let pages = realm.objects(MessagePage.self).filter("room == %@", room._id).filter { page in
        !page.permissions.holds(room.permissions) && realm.getPrivileges(page).contains(.setPermissions)
      }
      guard !pages.isEmpty else { continue }
      try? realm.write { for page in pages { page.permissions.share(room.permissions) } }
    }
  }

  /// Keeps how far the user has read, and tells the other members.
  private func markRead(_ room: String, _ date: Date) throws {
    if let known = realms.settings.object(ofType: RoomSetting.self, forPrimaryKey: room)?.readUpTo, known >= date {
      return
    }
    try keep(room) { $0.readUpTo = date }
    let realm = realms.rooms
    let key = room + "/" + me.id
    try realm.write {
      if let mark = realm.object(ofType: ReadMark.self, forPrimaryKey: key) {
        mark.upTo = date
        return
      }
      let mark = realm.create(
        ReadMark.self, value: ["_id": key, "room": room, "user": me.id, "upTo": date] as [String: Any])
      shareAccess(of: room, with: mark.permissions)
      // Readers of the room may not change it, but their own mark.
      let entry = realm.create(Permission.self)
      entry.role = realm.object(ofType: PermissionRole.self, forPrimaryKey: Permission.privateRole(of: me.id))
      guard entry.role != nil else { return realm.delete(entry) }
      entry.set(.write)
      mark.permissions.append(entry)
    }
  }

  var isSynced: Bool { !sessions.isEmpty }
}
