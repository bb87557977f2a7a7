import ChatCore
import RealmSwift

/// How far the user's messages of a room have come.
struct Deliveries {
  private let me: String
  private let written: Set<String>
  private let readUpTo: Date?

  init(_ store: RealmChatStore, room: String) {
    me = store.me.id
    written = Set(store.realms.outbox.objects(Outgoing.self).filter("room == %@", room).map(\._id))
    readUpTo = store.realms.rooms.objects(ReadMark.self).filter("room == %@", room)
      .filter { $0.user != store.me.id }.map(\.upTo).max()
  }

  func of(_ message: Message) -> ChatCore.Message.Delivery {
    guard message.author == me else { return .received }
    if written.contains(message._id) { return .written }
    return readUpTo.map { $0 >= message.sent } ?? false ? .read : .sent
  }
}
