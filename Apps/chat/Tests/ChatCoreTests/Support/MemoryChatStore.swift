@testable import ChatCore

/// A store in memory, for tests and previews: one user, and rooms that nobody else enters.
final class MemoryChatStore: ChatStore {
  private var chat: ChatSnapshot
  private var messages: [String: [Message]]
  private var changed: (@Sendable () -> Void)?

  /// Connection, pending uploads and refusals.
  var status: ChatStatus
  /// The answer to every wait.
  var outcome = WaitOutcome.done
  /// The writes that the server refuses of uploads.
  var refusing: [Refusal] = []
  /// Messages by room that ``older()`` brings.
  var earlier: [String: [Message]] = [:]

  /// A store that holds a snapshot, with the messages of rooms by their keys.
  init(_ chat: ChatSnapshot, messages: [String: [Message]] = [:], status: ChatStatus = ChatStatus()) {
    self.chat = chat
    self.messages = messages
    self.status = status
  }

  /// Everything there is.
  func snapshot() -> ChatSnapshot {
    var chat = chat
    let open = chat.openRoom.flatMap { messages[$0] } ?? []
    chat.messages = open
    chat.hasOlder = chat.openRoom.map { earlier[$0]?.isEmpty == false } ?? false
    if let text = chat.search?.text {
      let words = text.lowercased().split(whereSeparator: \.isWhitespace)
      let hits = messages.flatMap { room, messages in
        messages.filter { message in words.allSatisfy { message.body.lowercased().contains($0) } }
          .map { SearchAnswer.Hit(room: room, message: $0) }
      }
      chat.search = SearchAnswer(
        text: text, hits: hits.sorted { ($1.message.sent, $1.message.key) < ($0.message.sent, $0.message.key) },
        isComplete: true)
    }
    return chat
  }

  /// Performs an edit on what is in memory.
  ///
  /// - Throws: ``EditError`` when it cannot be done.
  func perform(_ edit: ChatEdit) throws {
    let open = chat.openRoom
    defer { chat.openRoom = open }
    let room: String? =
      switch edit {
      case .send(let post): post.room
      case .react(let room, _, _, _), .markRead(let room, _): room
      default: nil
      }
    chat.openRoom = room ?? open
    var whole = snapshot()
    try edit.check(on: whole)
    whole = whole.after(edit)
    if let room { messages[room] = whole.messages }
    whole.messages = []
    chat = whole
  }

  /// Shows a room.
  func open(room: String?) { chat.openRoom = room }
  /// Brings what is in ``earlier``.
  func older() -> Bool {
    guard let room = chat.openRoom, let found = earlier.removeValue(forKey: room) else { return false }
    messages[room] = found + (messages[room] ?? [])
    return true
  }
  /// Searches all messages.
  func search(_ text: String?) {
    chat.search = text.map { SearchAnswer(text: $0, hits: [], isComplete: false) }
  }
  /// Everything is here already.
  func wholeHistory(of room: String) {}
  /// Keeps the function, which ``arrive(_:in:)`` calls.
  func onChange(_ changed: @escaping @Sendable () -> Void) { self.changed = changed }
  /// Answers ``outcome``; an upload is refused as ``refusing`` says.
  func wait(for direction: WaitDirection, seconds: Double, isPatient: Bool) -> WaitOutcome {
    if direction == .upload { status.refusals += refusing }
    return outcome
  }
  /// Switches the connection of ``status``.
  func setOffline(_ isOffline: Bool) { status.connection = isOffline ? .offline : .connected }
  /// There is nothing to connect to.
  func retry() {}
  /// Answers the rules.
  func lockDown(seconds: Double) -> [LockdownRule] { LockdownRule.all }
  /// There is nothing to end.
  func close() {}

  /// A message of somebody else arrives.
  func arrive(_ message: Message, in room: String) {
    messages[room, default: []].append(message)
    chat.changeRoom(room) { room in
      room.unread += 1
      room.lastSent = max(room.lastSent ?? message.sent, message.sent)
    }
    changed?()
  }

  /// Changes the messages of the open room.
  func changeMessages(_ change: (inout [Message]) -> Void) {
    guard let room = chat.openRoom else { return }
    change(&messages[room, default: []])
    changed?()
  }

  /// Replaces everything but the messages, as another device may.
  func change(_ change: (inout ChatSnapshot) -> Void) {
    change(&chat)
    changed?()
  }
}

extension MemoryChatStore {
  /// The server, or another member, has got a message of the open room.
  func setDelivery(_ delivery: Message.Delivery, of key: String) {
    changeMessages { messages in
      for index in messages.indices where messages[index].key == key { messages[index].delivery = delivery }
    }
  }

  /// The server has undone a message of the open room.
  func remove(_ key: String) { changeMessages { $0.removeAll { $0.key == key } } }
}
