import TerminalUI

extension ChatScreen {
  mutating func handle(_ key: Key) -> [ProgramAction<Effect>] {
    switch mode {
    case .browsing: return browse(key)
    case .help(var overlay):
      mode = overlay.handle(key) ? .help(overlay) : .browsing
    case .confirming(var dialog, let edit):
      switch dialog.handle(key) {
      case .open: mode = .confirming(dialog, edit)
      case .answered(1):
        mode = .browsing
        return perform(edit)
      case .answered, .cancelled: mode = .browsing
      }
    case .hits(let state): return chooseHit(key, state)
    case .members(let state, let room): return handleMembers(key, state, room)
    case .creatingRoom(let form): return createRoom(key, form)
    case .inviting(let picker, let room): return pick(key, picker, room)
    case .searching, .reacting, .renaming: return type(key)
    }
    return []
  }

  private mutating func browse(_ key: Key) -> [ProgramAction<Effect>] {
    switch key {
    case .control("c"): return keepDraft() + [.quit]
    case .control("z"): return [.suspend]
    case .control("l"): return [.redraw]
    case .control("n"): return openNextUnread()
    case .function(1): mode = .help(Self.help)
    case .tab: focus = focus == .input ? .rooms : focus == .rooms ? .messages : .input
    case .backTab: focus = focus == .input ? .messages : focus == .messages ? .rooms : .input
    case .pageUp, .pageDown:
      if focus == .input { focus = .messages }
      return focus == .messages ? browseMessages(key) : browseRooms(key)
    default:
      switch focus {
      case .input: return write(key)
      case .rooms: return browseRooms(key)
      case .messages: return browseMessages(key)
      }
    }
    return []
  }

  /// Keys that mean the same in rooms and messages; nil for others.
  private mutating func browseAnywhere(_ key: Key) -> [ProgramAction<Effect>]? {
    switch key {
    case .character("q"): return keepDraft() + [.quit]
    case .character("?"): mode = .help(Self.help)
    case .character("/"): mode = .searching(TextField(chat.search?.text ?? ""))
    case .character("n"): mode = .creatingRoom(Self.roomForm())
    case .character("m"): return showMembers()
    case .character("N"): mode = .renaming(TextField(chat.me.name))
    case .character("o"):
      let isOffline = status.connection != .offline
      notice = (isOffline ? "offline: what you write waits here until o is pressed again" : "online again", false)
      return [.perform(.setOffline(isOffline))]
    case .character("x"): return [.perform(.retry)]
    case .character("u"): return openNextUnread()
    case .character("R"):
      guard !refusals.isEmpty else { return fail("nothing was refused") }
      mode = .help(refusalOverlay)
    case .character("i"), .enter: focus = .input
    case .left, .character("h"): focus = .rooms
    case .right, .character("l"): focus = .messages
    default: return nil
    }
    return []
  }

  private mutating func browseRooms(_ key: Key) -> [ProgramAction<Effect>] {
    let rows = ScreenLayout(size, focus: focus).rooms.rows
    if rooms.handle(key, count: chat.rooms.count, rows: rows) {
      return chat.rooms.indices.contains(rooms.selected) ? open(chat.rooms[rooms.selected].key) : []
    }
    switch key {
    case .escape:
      focus = .input
      return []
    case .enter where room == nil && chat.rooms.indices.contains(rooms.selected):
      focus = .input
      return open(chat.rooms[rooms.selected].key)
    case .character("p"):
      return room.map { perform(.pin(room: $0.key, isPinned: !$0.isPinned)) } ?? []
    case .character("c"):
      return room.map { perform(.colour(room: $0.key, ($0.colour + 1) % 8)) } ?? []
    default: return browseAnywhere(key) ?? []
    }
  }

  private mutating func browseMessages(_ key: Key) -> [ProgramAction<Effect>] {
    let index = messageIndex
    let page = max(1, ScreenLayout(size, focus: focus).messages.rows / 2)
    switch key {
    case .up, .character("k"): return select(index - 1)
    case .down, .character("j"): return select(index + 1)
    case .pageUp, .control("b"): return select(index - page)
    case .pageDown, .control("f"): return select(index + page)
    case .home, .character("g"): return select(0)
    case .end, .character("G"): return select(messages.count - 1)
    case .escape:
      (focus, messageKey) = (.input, nil)
      return []
    case .character("r"):
      guard let message = selectedMessage, let roomKey else { return [] }
      replies[roomKey] = message.key
      (focus, messageKey) = (.input, nil)
      return []
    case .character("+"), .character("e"):
      guard let message = selectedMessage else { return [] }
      mode = .reacting(TextField(), message: message.key)
      return []
    default: return browseAnywhere(key) ?? []
    }
  }

  /// The position of the selected message: the last one while it is followed.
  private var messageIndex: Int { messages.firstIndex { $0.key == messageKey } ?? messages.count - 1 }

  /// Selects a message by its position; before the first, asks for earlier ones.
  private mutating func select(_ index: Int) -> [ProgramAction<Effect>] {
    guard !messages.isEmpty else { return [] }
    soughtMessage = nil
    let bounded = max(0, min(index, messages.count - 1))
    // The last message is followed as it moves on.
    messageKey = bounded == messages.count - 1 ? nil : messages[bounded].key
    guard index < 0, chat.hasOlder, !isAskingOlder else { return [] }
    isAskingOlder = true
    return [.perform(.older)]
  }

  mutating func handle(_ mouse: Mouse) -> [ProgramAction<Effect>] {
    guard mode == .browsing else { return [] }
    let layout = ScreenLayout(size, focus: focus)
    let isInRooms = layout.rooms.contains(mouse.position)
    switch mouse.action {
    case .wheelUp, .wheelDown:
      let key = mouse.action == .wheelUp ? Key.up : .down
      if isInRooms { return browseRooms(key) }
      guard layout.messages.contains(mouse.position) else { break }
      focus = .messages
      return select(messageIndex + (mouse.action == .wheelUp ? -3 : 3))
    case .press where isInRooms:
      if let row = rooms.row(at: mouse.position.row - layout.rooms.row, count: chat.rooms.count) {
        return open(chat.rooms[row].key)
      }
    case .press where layout.input.contains(mouse.position): focus = .input
    case .press where layout.messages.contains(mouse.position):
      let lines = lines(columns: layout.messages.columns)
      let first = max(0, layout.messages.rows - lines.count)
      let line = topLine + mouse.position.row - layout.messages.row - first
      guard lines.indices.contains(line), let key = lines[line].key else { break }
      focus = .messages
      messageKey = key
    case .press, .release: break
    }
    return []
  }
}
