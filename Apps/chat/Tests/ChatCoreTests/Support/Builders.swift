import Foundation
@testable import ChatCore

/// The people and rooms of the tests: ann uses the app, bob and carol are others.
enum Cast {
  static let ann = Person(id: "a1", name: "ann")
  static let bob = Person(id: "b2", name: "bob")
  static let carol = Person(id: "c3", name: "Carol")
  static let start = Date(timeIntervalSince1970: 1_795_680_000)

  static func date(_ minutes: Int) -> Date { start.addingTimeInterval(Double(minutes) * 60) }

  static func said(
    _ key: String, _ body: String, by author: Person = bob, at minutes: Int = 0, replyTo: String? = nil,
    reactions: [Reaction] = [], delivery: Message.Delivery? = nil
  ) -> Message {
    Message(
      key: key, author: author.id, body: body, sent: date(minutes), replyTo: replyTo, reactions: reactions,
      delivery: delivery ?? (author == ann ? .sent : .received))
  }

  static let hall = Room(key: "#hall", name: "hall")
  static let plans = Room(
    key: "p1", name: "plans", isPrivate: true, access: .manage,
    members: [Member(id: "a1", access: .manage), Member(id: "b2", access: .write)])
  static let news = Room(
    key: "n1", name: "news", isPrivate: true, access: .read,
    members: [Member(id: "a1", access: .read), Member(id: "b2", access: .manage)])

  static var chat: ChatSnapshot {
    ChatSnapshot(me: ann, people: [ann, bob, carol], rooms: [hall, plans, news], openRoom: "#hall")
  }

  static func store(_ messages: [Message] = [said("m1", "hello"), said("m2", "hi bob", by: ann, at: 1)])
    -> MemoryChatStore
  {
    let store = MemoryChatStore(chat, messages: ["#hall": messages])
    store.status = ChatStatus(connection: .connected, account: "ann@host")
    return store
  }
}
