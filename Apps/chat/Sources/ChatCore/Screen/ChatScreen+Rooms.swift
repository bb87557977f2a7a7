import Foundation
import TerminalUI

extension ChatScreen {
  /// The room that is shown.
  var room: Room? { chat.room(roomKey) }

  /// The messages that are shown: none while another room is being opened.
  var messages: [ChatCore.Message] { chat.openRoom == roomKey ? chat.messages : [] }

  /// The message that keys act on.
  var selectedMessage: ChatCore.Message? { focus == .messages ? chat.message(messageKey) ?? messages.last : nil }

  /// The text that is being written in the room that is shown.
  var input: TextField {
    get { roomKey.flatMap { inputs[$0] } ?? TextField(room?.draft ?? "") }
    set { if let roomKey { inputs[roomKey] = newValue } }
  }

  /// Shows another room; keeps what is being written in this one.
  mutating func open(_ key: String?) -> [ProgramAction<Effect>] {
    let kept = keepDraft()
    guard key != roomKey || chat.openRoom != key else { return kept }
    roomKey = key
    (messageKey, soughtMessage, topLine, isAskingOlder) = (nil, nil, 0, false)
    newSince = chat.room(key)?.readUpTo
    if focus == .messages { focus = .input }
    return kept + [.perform(.open(key))]
  }

  /// Keeps what is being written, where it has changed.
  mutating func keepDraft() -> [ProgramAction<Effect>] {
    guard let room, let text = inputs[room.key]?.text, text != room.draft else { return [] }
    return perform(.keepDraft(room: room.key, text: text))
  }

  /// Shows the next room with unread messages.
  mutating func openNextUnread() -> [ProgramAction<Effect>] {
    let start = chat.rooms.firstIndex { $0.key == roomKey }.map { $0 + 1 } ?? 0
    let others = chat.rooms[min(start, chat.rooms.count)...] + chat.rooms[..<min(start, chat.rooms.count)]
    guard let next = others.first(where: { $0.unread > 0 && $0.key != roomKey }) else {
      return fail("nothing unread in other rooms")
    }
    return open(next.key)
  }

  /// After every event: keeps the selection on the same room and message, and the selected line in sight.
  mutating func settle() {
    if let index = chat.rooms.firstIndex(where: { $0.key == roomKey }) { rooms.selected = index }
    let layout = ScreenLayout(size, focus: focus)
    rooms.settle(count: chat.rooms.count, rows: layout.rooms.rows)
    if let messageKey, chat.message(messageKey) == nil { self.messageKey = nil }
    let lines = lines(columns: layout.messages.columns)
    let rows = layout.messages.rows
    if let messageKey, focus == .messages {
      let own = lines.indices.filter { lines[$0].key == messageKey }
      if let first = own.first, let last = own.last {
        topLine = max(topLine, last - rows + 1)
        // Above the first message stands whether there are earlier ones.
        topLine = messageKey == messages.first?.key ? 0 : min(topLine, first)
      }
      topLine = max(0, min(topLine, lines.count - rows))
    } else {
      topLine = max(0, lines.count - rows)
    }
    switch mode {
    case .hits(var state):
      state.settle(count: chat.search?.hits.count ?? 0, rows: max(1, size.rows - 4))
      mode = .hits(state)
    case .members(var state, let key):
      guard let room = chat.room(key) else {
        mode = .browsing
        break
      }
      state.settle(count: room.members.count, rows: max(1, size.rows - 6))
      mode = .members(state, room: key)
    default: break
    }
  }
}
