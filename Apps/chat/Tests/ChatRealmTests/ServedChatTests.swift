import ChatCore
import Foundation
import RealmSwift
import TestKit
import Testing
@testable import ChatRealm

/// Users of one server, each with a device of their own.
@Suite("The chat on a server", .serialized)
struct ServedChatTests {
  private struct Devices {
    let server: ChatServer
    let ann, bob, carol: RealmChatStore
    let ids: [String: String]

    init() async throws {
      server = try await ChatServer()
      let boss = try server.store(try await server.user("boss"), "boss")
      _ = try await onOwnThread { try boss.lockDown(seconds: 60) }
      boss.close()
      var stores: [RealmChatStore] = []
      for name in ["ann", "bob", "carol"] {
        let store = try server.store(try await server.user(name), name)
        try await Self.sync(store)
        stores.append(store)
      }
      (ann, bob, carol) = (stores[0], stores[1], stores[2])
      ids = Dictionary(uniqueKeysWithValues: stores.map { ($0.me.name, $0.me.id) })
    }

    static func sync(_ store: RealmChatStore) async throws {
      for direction in [WaitDirection.upload, .download] {
        let outcome = try await onOwnThread { store.wait(for: direction, seconds: 60, isPatient: true) }
        #expect(outcome == .done, "\(store.me.name) \(direction)")
      }
    }

    /// Gives a member rights, or takes them away.
    static func share(_ room: String, of store: RealmChatStore, with user: String, _ access: Access?) async throws {
      try store.perform(.setAccess(room: room, user: user, access))
      try await sync(store)
      #expect(store.status.refusals.map(\.reason) == [], "\(store.me.name) shares \(room)")
      let members = try store.snapshot().room(room)?.members ?? []
      #expect(members.first { $0.id == user }?.access == access)
    }

    func end() async {
      for store in [ann, bob, carol] { store.close() }
      await server.stop()
    }
  }

  private static func post(_ key: String, _ body: String, in room: String, at seconds: Double = 0) -> ChatEdit {
    .send(Post(key: key, room: room, body: body, sent: Date(timeIntervalSince1970: 1_795_000_000 + seconds)))
  }

  @Test("where no administrator set the chat up, a wait says so, and what was written is sent when one has")
  func notSetUp() async throws {
    let server = try await ChatServer()
    let user = try await server.user("ann")
    var ann = try server.store(user, "ann")
    try ann.perform(.createRoom(key: "h", name: "hall", isPrivate: false))
    for direction in [WaitDirection.upload, .download] {
      let outcome = try await onOwnThread { [ann] in ann.wait(for: direction, seconds: 30, isPatient: false) }
      guard case .failed(let problem) = outcome else {
        Issue.record("\(direction): \(outcome)")
        continue
      }
      #expect(problem.message.contains("only an administrator"))
      #expect(problem.remedy.contains("chat lockdown"))
    }
    ann.close()
    let boss = try server.store(try await server.user("boss"), "boss")
    _ = try await onOwnThread { try boss.lockDown(seconds: 60) }
    ann = try server.store(user, "ann")
    try await Devices.sync(ann)
    #expect(ann.status.refusals.map(\.reason) == [])
    #expect(try ann.snapshot().rooms.map(\.name) == ["hall"])
    for store in [ann, boss] { store.close() }
    await server.stop()
  }

  @Test("members see a private room and its history; nobody else does, whatever they ask for and write")
  func secrecy() async throws {
    let devices = try await Devices()
    let (ann, bob, carol) = (devices.ann, devices.bob, devices.carol)
    try ann.perform(.createRoom(key: "p1", name: "plans", isPrivate: true))
    try ann.open(room: "p1")
    try ann.perform(Self.post("m1", "the secret", in: "p1"))
    try await Devices.sync(ann)
    try await Devices.share("p1", of: ann, with: devices.ids["bob"] ?? "", .write)
    try await Devices.sync(bob)
    try bob.open(room: "p1")
    try await Devices.sync(bob)
    let seen = try bob.snapshot().messages.map(\.body)
    #expect(seen == ["the secret"], "\(ann.status.refusals.map(\.reason))")

    // Carol knows the keys, and her program is not this app.
    carol.queue.sync {
      let realm = carol.realms.rooms
      for (name, subscription) in [
        "a": realm.objects(MessagePage.self).subscribe(named: "a"),
        "b": realm.objects(PrivateChatRoom.self).filter("_id == 'p1'").subscribe(named: "b"),
        "c": realm.objects(MessagePage.self).filter("ANY messages.body CONTAINS 'secret'").subscribe(named: "c"),
        "d": realm.objects(ReadMark.self).filter("room == 'p1'").subscribe(named: "d"),
      ] { carol.subscriptions[name] = subscription }
    }
    try await Devices.sync(carol)
    let counts = carol.queue.sync {
      carol.realms.refresh()
      return [
        carol.realms.rooms.objects(PrivateChatRoom.self).count, carol.realms.rooms.objects(MessagePage.self).count,
        carol.realms.rooms.objects(Message.self).count,
      ]
    }
    #expect(counts == [0, 0, 0])
    carol.queue.sync {
      carol.subscriptions["e"] = carol.realms.rooms.objects(Message.self).subscribe(named: "e")
    }
    let refused = try await onOwnThread { carol.wait(for: .download, seconds: 60, isPatient: true) }
    if refused == .done {
      let messages = carol.queue.sync { carol.realms.rooms.objects(Message.self).count }
      #expect(messages == 0)
    }
    await devices.end()
  }

  @Test("what a third user writes about a room of others is undone, and changes nothing for its members")
  func forgery() async throws {
    let devices = try await Devices()
    let (ann, carol) = (devices.ann, devices.carol)
    try ann.perform(.createRoom(key: "p1", name: "plans", isPrivate: true))
    try ann.open(room: "p1")
    try ann.perform(Self.post("m1", "the secret", in: "p1"))
    try await Devices.sync(ann)
    let members = try ann.snapshot().room("p1")?.members
    try carol.queue.sync {
      let realm = carol.realms.rooms
      carol.waitForStoredSubscriptions()
      try realm.write {
        let room = realm.create(PrivateChatRoom.self, value: ["_id": "p1", "name": "mine"])
        room.permissions.findOrCreate(forRoleNamed: Permission.privateRole(of: carol.me.id)).set(.manage)
      }
      try realm.write {
        if let role = realm.object(ofType: PermissionRole.self, forPrimaryKey: Permission.privateRole(of: ann.me.id)),
          let user = realm.object(ofType: PermissionUser.self, forPrimaryKey: carol.me.id)
        {
          role.users.append(user)
        }
      }
    }
    try await Devices.sync(carol)
    let refusals = carol.status.refusals.map(\.kind)
    #expect(refusals.contains("PrivateChatRoom"))
    try await Devices.sync(ann)
    let after = try ann.snapshot().room("p1")
    #expect(after?.name == "plans")
    #expect(after?.members == members)
    let hers = try carol.snapshot().rooms
    #expect(hers == [])
    await devices.end()
  }

  @Test("posts of a member who may only read since are undone, told with their reason, and given back in their order")
  func reader() async throws {
    let devices = try await Devices()
    let (ann, bob) = (devices.ann, devices.bob)
    let his = devices.ids["bob"] ?? ""
    try ann.perform(.createRoom(key: "p1", name: "plans", isPrivate: true))
    try ann.open(room: "p1")
    try ann.perform(Self.post("m1", "hello", in: "p1"))
    try await Devices.sync(ann)
    try await Devices.share("p1", of: ann, with: his, .write)
    try await Devices.sync(bob)
    try bob.open(room: "p1")
    try await Devices.sync(bob)
    for session in bob.sessions { session.suspend() }
    try bob.perform(Self.post("m2", "may I?", in: "p1", at: 1))
    try bob.perform(Self.post("m3", "or this?", in: "p1", at: 2))
    let waiting = try bob.snapshot().messages.last?.delivery
    #expect(waiting == .written)
    try await Devices.share("p1", of: ann, with: his, .read)
    for session in bob.sessions { session.resume() }
    try await Devices.sync(bob)
    let refusals = bob.status.refusals.compactMap(\.post?.body)
    #expect(refusals == ["may I?", "or this?"])
    let reasons = bob.status.refusals.map(\.reason)
    #expect(reasons.allSatisfy { $0.contains("update is not granted") }, "\(reasons)")
    let room = try bob.snapshot().room("p1")
    #expect(room?.draft == "may I? or this?")
    #expect(room?.access == .read)
    try await Devices.sync(ann)
    let messages = try ann.snapshot().messages.map(\.body)
    #expect(messages == ["hello"])
    await devices.end()
  }

  @Test("a private room that was made, filled and shared offline is there for its members")
  func offline() async throws {
    let devices = try await Devices()
    let (ann, bob) = (devices.ann, devices.bob)
    for session in ann.sessions { session.suspend() }
    try ann.perform(.createRoom(key: "p1", name: "plans", isPrivate: true))
    try ann.open(room: "p1")
    try ann.perform(Self.post("m1", "the secret", in: "p1"))
    try ann.perform(.setAccess(room: "p1", user: devices.ids["bob"] ?? "", .write))
    for session in ann.sessions { session.resume() }
    try await Devices.sync(ann)
    try await Devices.sync(bob)
    try bob.open(room: "p1")
    try await Devices.sync(bob)
    let seen = try bob.snapshot().messages.map(\.body)
    #expect(seen == ["the secret"], "\(ann.status.refusals.map(\.reason))")
    await devices.end()
  }

  @Test("history comes page by page, and a revoked member keeps nothing of it")
  func history() async throws {
    let devices = try await Devices()
    let (ann, bob) = (devices.ann, devices.bob)
    let his = devices.ids["bob"] ?? ""
    try ann.perform(.createRoom(key: "p1", name: "plans", isPrivate: true))
    try ann.open(room: "p1")
    let pages = 6
    try ann.write(pages: pages, of: "p1")
    try await Devices.sync(ann)
    try await Devices.share("p1", of: ann, with: his, .write)
    try await Devices.sync(bob)
    try bob.open(room: "p1")
    try await Devices.sync(bob)
    var chat = try bob.snapshot()
    #expect(chat.messages.count == 3 * HistoryWindow.step)
    #expect(chat.hasOlder)
    var steps = 0
    while chat.hasOlder, steps < 5 {
      _ = try bob.older()
      try await Devices.sync(bob)
      chat = try bob.snapshot()
      steps += 1
    }
    #expect(steps == 2)
    #expect(chat.messages.map(\.key) == (0..<3 * pages).map { "m\($0)" })
    try bob.search("line 7")
    try await Devices.sync(bob)
    let found = try bob.snapshot().search
    #expect(found?.hits.contains { $0.message.key == "m7" } == true)
    try await Devices.share("p1", of: ann, with: his, nil)
    try await Devices.sync(bob)
    let left = bob.queue.sync {
      bob.realms.refresh()
      return [bob.realms.rooms.objects(PrivateChatRoom.self).count, bob.realms.rooms.objects(Message.self).count]
    }
    #expect(left == [0, 0])
    await devices.end()
  }
}

extension RealmChatStore {
  /// Pages of three messages each, as a room has them in the course of time.
  fileprivate func write(pages count: Int, of room: String) throws {
    try queue.sync {
      let realm = realms.rooms
      guard let keys = pages(of: room), let list = realm.object(ofType: PrivateChatRoom.self, forPrimaryKey: room)
      else { return }
      waitForStoredSubscriptions()
      try realm.write {
        for number in 0..<count {
          let start = Date(timeIntervalSince1970: 1_795_000_000 + Double(number) * 60)
          let page = realm.create(
            MessagePage.self, value: ["_id": "page\(number)", "room": room, "opened": start] as [String: Any])
          page.permissions.share(list.permissions)
          keys.append(page._id)
          for place in 0..<3 {
            let message = Message()
            (message._id, message.body) = ("m\(3 * number + place)", "line \(3 * number + place)")
            (message.author, message.sent) = (me.id, start.addingTimeInterval(Double(place)))
            page.messages.append(message)
          }
        }
      }
    }
  }
}
