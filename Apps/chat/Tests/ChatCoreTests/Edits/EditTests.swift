import Foundation
import Testing
@testable import ChatCore

@Suite("Edits")
struct EditTests {
  @Test(
    "that cannot be done are refused with what helps",
    arguments: [
      (ChatEdit.createRoom(key: "#hall", name: "hall", isPrivate: false), EditError.roomExists("hall")),
      (.createRoom(key: "#", name: " # ", isPrivate: false), .noName),
      (.send(Post(key: "k", room: "gone", body: "x", sent: Cast.start)), .roomIsGone),
      (.send(Post(key: "k", room: "#hall", body: " \n ", sent: Cast.start)), .nothingToSend),
      (.send(Post(key: "k", room: "n1", body: "x", sent: Cast.start)), .readOnly("news")),
      (.react(room: "#hall", message: "m", emoji: "two words", isOn: true), .noReaction("two words")),
      (.react(room: "n1", message: "m", emoji: "👍", isOn: true), .readOnly("news")),
      (.setAccess(room: "#hall", user: "b2", .read), .roomIsPublic("hall")),
      (.setAccess(room: "n1", user: "c3", .read), .mayNotManage("news")),
      (.setAccess(room: "p1", user: "c3", nil), .noMember("Carol")),
      (.setAccess(room: "p1", user: "a1", .read), .lastAdministrator("plans")),
      (.setAccess(room: "p1", user: "a1", nil), .lastAdministrator("plans")),
      (.passAdministration(room: "p1", to: "a1"), .alreadyAdministrator),
      (.rename("  "), .noName),
    ])
  func refused(_ edit: ChatEdit, _ error: EditError) {
    #expect(throws: error) { try edit.check(on: Cast.chat) }
  }

  @Test("of a message that is too long are refused with its length")
  func tooLong() {
    let post = Post(key: "k", room: "#hall", body: String(repeating: "x", count: 8_001), sent: Cast.start)
    #expect(throws: EditError.messageTooLong(8_001)) { try ChatEdit.send(post).check(on: Cast.chat) }
  }

  @Test("change a snapshot as they say")
  func outcomes() {
    var chat = Cast.chat
    chat = chat.after(.send(Post(key: "k", room: "#hall", body: "x", replyTo: "m", sent: Cast.date(2))))
    #expect(chat.message("k")?.delivery == .written)
    #expect(chat.message("k")?.replyTo == "m")
    chat = chat.after(.react(room: "#hall", message: "k", emoji: "🎉", isOn: true))
    chat = chat.after(.react(room: "#hall", message: "k", emoji: "🎉", isOn: true))
    #expect(chat.message("k")?.reactions == [Reaction(emoji: "🎉", author: "a1")])
    chat = chat.after(.react(room: "#hall", message: "k", emoji: "🎉", isOn: false))
    #expect(chat.message("k")?.reactions == [])
    chat = chat.after(.pin(room: "p1", isPinned: true)).after(.colour(room: "p1", 9))
    #expect(chat.rooms.first?.key == "p1")
    #expect(chat.rooms.first?.colour == 7)
    chat = chat.after(.passAdministration(room: "p1", to: "b2"))
    #expect(chat.room("p1")?.access == .write)
    chat = chat.after(.markRead(room: "#hall", upTo: Cast.date(5))).after(.markRead(room: "#hall", upTo: Cast.date(1)))
    #expect(chat.room("#hall")?.readUpTo == Cast.date(5))
    chat = chat.after(.rename("Anne"))
    #expect(chat.name(of: "a1") == "Anne")
  }

  @Test("of names drop what does not belong to them")
  func names() {
    #expect(Keys.name("  ##  garden \n party ") == "garden party")
    #expect(Keys.name("# ") == nil)
    #expect(Keys.name(String(repeating: "x", count: 99))?.count == Keys.nameLimit)
    #expect(Keys.publicName(of: Keys.publicRoom(named: "hall")) == "hall")
    #expect(Keys.publicName(of: "0123") == nil)
    #expect(Keys.reaction(" 👩‍👩‍👧 ") == "👩‍👩‍👧")
    #expect(Keys.reaction("\u{200B}") == nil)
  }

  @Test("of people are told apart where a name is taken twice")
  func people() {
    let chat = ChatSnapshot(me: Cast.ann, people: [Cast.ann, Cast.bob, Person(id: "x9", name: "BOB")])
    #expect(chat.person("ANN")?.id == "a1")
    #expect(chat.person("bob") == nil)
    #expect(chat.person("x9")?.name == "BOB")
    #expect(chat.name(of: "unknown-id") == "user unknown-")
  }

  @Test("at any moment have a date in text", arguments: [Double.nan, .infinity, -.infinity, 1e300, -1e300])
  func moments(_ seconds: Double) {
    let date = Date(timeIntervalSince1970: seconds)
    #expect(Moment.text(date).hasSuffix("Z"))
    #expect(Moment.time(date, zone: 3_600).count == 5)
    #expect(!Moment.day(date, zone: -3_600).isEmpty)
  }

  @Test("have times of the local day")
  func localTime() {
    #expect(Moment.text(Cast.start) == "2026-11-26T08:00:00.000Z")
    #expect(Moment.time(Cast.start, zone: -9 * 3_600) == "23:00")
    #expect(Moment.day(Cast.start, zone: -9 * 3_600) == "Wed 2026-11-25")
  }
}
