import ChatCore
import Foundation
import RealmSwift
import TestKit
import Testing
@testable import ChatRealm

@Suite("The chat in realms of one device")
struct RealmChatStoreTests {
  /// Realms in files that go with the test, for two users who share rooms and directory.
  private func withStores(_ body: (RealmChatStore, RealmChatStore) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("chat-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    func store(_ id: String, _ name: String) throws -> RealmChatStore {
      func file(_ name: String) -> Realm.Configuration {
        Realm.Configuration(fileURL: folder.appendingPathComponent(name + ".realm"))
      }
      return try RealmChatStore(
        ChatConfigurations(
          rooms: file("rooms"), directory: file("directory"), settings: file("settings-" + id),
          outbox: file("outbox-" + id)),
        me: ChatCore.Person(id: id, name: name))
    }
    let (ann, bob) = (try store("a1", "ann"), try store("b2", "bob"))
    try ann.perform(.rename("ann"))
    try bob.perform(.rename("bob"))
    try body(ann, bob)
    ann.close()
    bob.close()
  }

  private func post(_ key: String, _ body: String, in room: String, at seconds: Double = 0) -> ChatEdit {
    .send(
      Post(key: key, room: room, body: body, replyTo: "r", sent: Date(timeIntervalSince1970: 1_700_000_000 + seconds)))
  }

  @Test("a message is kept as it was written, and others see it")
  func messages() throws {
    try withStores { ann, bob in
      try ann.perform(.createRoom(key: "#hall", name: "hall", isPrivate: false))
      try ann.open(room: "#hall")
      try bob.open(room: "#hall")
      try ann.perform(post("m1", "Zażółć 世界 🎉\nsecond line", in: "#hall"))
      let message = try bob.snapshot().messages.first
      #expect(message?.body == "Zażółć 世界 🎉\nsecond line")
      #expect(message?.author == "a1")
      #expect(message?.replyTo == "r")
      #expect(message?.delivery == .received)
      let unread = try bob.snapshot().room("#hall")?.unread
      #expect(unread == 1)
      let own = try ann.snapshot().messages.first
      #expect(own?.delivery == .written)
    }
  }

  @Test("pages are filled, named by their room, and pages that it does not name are not its own")
  func pages() throws {
    try withStores { ann, bob in
      try ann.perform(.createRoom(key: "#hall", name: "hall", isPrivate: false))
      try ann.open(room: "#hall")
      for number in 0..<(MessagePage.capacity + 5) {
        try ann.perform(post("m\(number)", "line \(number)", in: "#hall", at: Double(number)))
      }
      let counts = try ann.queue.sync { () throws -> [Int] in
        // A page that somebody made who may not change the room.
        try ann.realms.rooms.write {
          let forged = ann.realms.rooms.create(MessagePage.self, value: ["_id": "forged", "room": "#hall"])
          forged.messages.append(Message(value: ["_id": "x", "body": "forged"]))
        }
        return Array(ann.realms.rooms.objects(MessagePage.self).sorted(byKeyPath: "opened").map(\.messages.count))
      }
      #expect(counts.sorted() == [1, 5, MessagePage.capacity])
      let chat = try ann.snapshot()
      #expect(chat.messages.map(\.key) == (0..<(MessagePage.capacity + 5)).map { "m\($0)" })
      #expect(chat.gaps.isEmpty)
      // A page that is not on this device.
      try ann.queue.sync {
        try ann.realms.rooms.write { ann.pages(of: "#hall")?.insert("elsewhere", at: 1) }
      }
      let gaps = try ann.snapshot().gaps
      #expect(gaps == ["m\(MessagePage.capacity)"])
      #expect(!chat.hasOlder)
    }
  }

  @Test("reactions of two people count, and each takes back only their own")
  func reactions() throws {
    try withStores { ann, bob in
      try ann.perform(.createRoom(key: "#hall", name: "hall", isPrivate: false))
      try ann.open(room: "#hall")
      try bob.open(room: "#hall")
      try ann.perform(post("m1", "x", in: "#hall"))
      for store in [ann, bob, bob] {
        try store.perform(.react(room: "#hall", message: "m1", emoji: "👍", isOn: true))
      }
      let counts = try ann.snapshot().messages.first?.reactionCounts.map(\.count)
      #expect(counts == [2])
      try bob.perform(.react(room: "#hall", message: "m1", emoji: "👍", isOn: false))
      let left = try ann.snapshot().messages.first?.reactions
      #expect(left == [ChatCore.Reaction(emoji: "👍", author: "a1")])
    }
  }

  @Test("members of a private room share one entry in room and pages, which a change of rights reaches at once")
  func members() throws {
    try withStores { ann, bob in
      try ann.perform(.createRoom(key: "p1", name: "plans", isPrivate: true))
      try ann.open(room: "p1")
      try ann.perform(post("m1", "x", in: "p1"))
      try ann.perform(.setAccess(room: "p1", user: "b2", .write))
      try ann.perform(.setAccess(room: "p1", user: "c3", .read))
      try bob.open(room: "p1")
      try bob.perform(post("m2", "y", in: "p1", at: 1))
      try ann.perform(.setAccess(room: "p1", user: "b2", nil))
      let members = try ann.snapshot().room("p1")?.members
      #expect(members == [Member(id: "a1", access: .manage), Member(id: "c3", access: .read)])
      ann.queue.sync {
        let room = ann.realms.rooms.object(ofType: PrivateChatRoom.self, forPrimaryKey: "p1")
        let page = ann.realms.rooms.objects(MessagePage.self).first
        #expect(page?.permissions.count == 3)
        for (own, shared) in zip(room?.permissions.map { $0 } ?? [], page?.permissions.map { $0 } ?? []) {
          #expect(own.isSameObject(as: shared))
        }
        let reader = room?.permissions.first { $0.user == "c3" }
        #expect(reader.map { [$0.canRead, $0.canQuery, $0.canUpdate, $0.canCreate] } == [true, true, false, false])
        #expect(reader.map { [$0.canDelete, $0.canSetPermissions, $0.canModifySchema] } == [false, false, false])
      }
      try ann.perform(.passAdministration(room: "p1", to: "c3"))
      let managers = try ann.snapshot().room("p1")?.managers.map(\.id)
      #expect(managers == ["c3"])
    }
  }

  @Test("an administrator's device gives members the pages that were begun without knowing of them")
  func completing() throws {
    try withStores { ann, bob in
      try ann.perform(.createRoom(key: "p1", name: "plans", isPrivate: true))
      try ann.perform(.setAccess(room: "p1", user: "b2", .write))
      try bob.queue.sync {
        let realm = bob.realms.rooms
        realm.refresh()
        guard let room = realm.object(ofType: PrivateChatRoom.self, forPrimaryKey: "p1") else { return }
        try realm.write {
          let page = realm.create(MessagePage.self, value: ["_id": "late", "room": "p1"])
          page.permissions.append(room.permissions[0])
          room.pages.append("late")
        }
      }
      let count = ann.queue.sync { () -> Int? in
        ann.realms.refresh()
        ann.completeLists()
        return ann.realms.rooms.object(ofType: MessagePage.self, forPrimaryKey: "late")?.permissions.count
      }
      #expect(count == 2)
    }
  }

  @Test("what is read is counted, told to the author, and kept for the user alone")
  func reading() throws {
    try withStores { ann, bob in
      try ann.perform(.createRoom(key: "#hall", name: "hall", isPrivate: false))
      for store in [ann, bob] { try store.open(room: "#hall") }
      try ann.perform(post("m1", "x", in: "#hall"))
      try ann.perform(post("m2", "y", in: "#hall", at: 9))
      ann.queue.sync { ann.settleOutbox(["m1", "m2"]) }
      let sent = try ann.snapshot().messages.map(\.delivery)
      #expect(sent == [.sent, .sent])
      try bob.perform(.markRead(room: "#hall", upTo: Date(timeIntervalSince1970: 1_700_000_005)))
      let unread = try bob.snapshot().room("#hall")?.unread
      #expect(unread == 1)
      let read = try ann.snapshot().messages.map(\.delivery)
      #expect(read == [.read, .sent])
      #expect(try ann.snapshot().room("#hall")?.readUpTo == nil)
    }
  }

  @Test("a message that the server took off its page comes back with its text and the reason")
  func refusal() throws {
    try withStores { ann, _ in
      try ann.perform(.createRoom(key: "#hall", name: "hall", isPrivate: false))
      try ann.open(room: "#hall")
      try ann.perform(post("m1", "kept", in: "#hall"))
      try ann.perform(post("m2", "refused", in: "#hall", at: 1))
      try ann.queue.sync {
        guard let page = ann.realms.rooms.objects(MessagePage.self).first else { return }
        try ann.realms.rooms.write { page.messages.remove(at: 1) }
        ann.settleOutbox(["m1", "m2"])
      }
      let refusals = ann.status.refusals
      #expect(refusals.map(\.post?.body) == ["refused"])
      let draft = try ann.snapshot().room("#hall")?.draft
      #expect(draft == "refused")
      let left = ann.queue.sync { ann.realms.outbox.objects(Outgoing.self).count }
      #expect(left == 0)
    }
  }

  @Test("a search finds all words in rooms that name the page, newest first")
  func search() throws {
    try withStores { ann, _ in
      try ann.perform(.createRoom(key: "#hall", name: "hall", isPrivate: false))
      try ann.open(room: "#hall")
      try ann.perform(post("m1", "Train to Zürich", in: "#hall"))
      try ann.perform(post("m2", "zürich by TRAIN again", in: "#hall", at: 1))
      try ann.perform(post("m3", "train", in: "#hall", at: 2))
      try ann.search("ZÜRICH train")
      let answer = try ann.snapshot().search
      #expect(answer?.hits.map(\.message.key) == ["m2", "m1"])
      #expect(answer?.isComplete == true)
    }
  }

  @Test("what a user keeps about rooms is in a realm of the user's own")
  func settings() throws {
    try withStores { ann, bob in
      try ann.perform(.createRoom(key: "#hall", name: "hall", isPrivate: false))
      for edit in [
        ChatEdit.pin(room: "#hall", isPinned: true), .colour(room: "#hall", 3), .keepDraft(room: "#hall", text: "d"),
      ] {
        try ann.perform(edit)
      }
      let own = try ann.snapshot().room("#hall")
      #expect(own?.isPinned == true)
      #expect(own?.colour == 3)
      #expect(own?.draft == "d")
      let others = try bob.snapshot().room("#hall")
      #expect(others?.draft == "")
    }
  }

  @Test("tells of what another store writes")
  func following() throws {
    try withStores { ann, bob in
      try ann.perform(.createRoom(key: "#hall", name: "hall", isPrivate: false))
      try ann.open(room: "#hall")
      let changed = DispatchSemaphore(value: 0)
      ann.onChange { changed.signal() }
      try bob.open(room: "#hall")
      try bob.perform(post("m1", "x", in: "#hall"))
      #expect(changed.wait(timeout: .now() + 30) == .success)
      let messages = try ann.snapshot().messages
      #expect(messages.count == 1)
    }
  }
}
