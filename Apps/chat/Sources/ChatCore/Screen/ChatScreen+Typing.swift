import Foundation
import TerminalUI

extension ChatScreen {
  /// Whether keys go into the input line.
  var isTyping: Bool {
    switch mode {
    case .searching, .reacting, .renaming: true
    case .browsing: focus == .input
    default: false
    }
  }

  /// The input line of the mode, and what it asks for.
  var inputLine: (label: String, field: TextField, hint: String) {
    switch mode {
    case .searching(let field): ("Search:", field, "words")
    case .reacting(let field, _): ("React with:", field, "one character, or 1 👍 2 ❤ 3 😂 4 🎉 5 😮 6 👀")
    case .renaming(let field): ("Your name:", field, "as others see it")
    default: (">", input, hint)
    }
  }

  private var hint: String {
    guard let room else {
      return (focus == .input ? "Tab, " : "") + (chat.rooms.isEmpty ? "n makes a room" : "Enter opens a room")
    }
    return room.access == .read ? "you may only read here" : "write a message"
  }

  static let quickReactions = ["👍", "❤", "😂", "🎉", "😮", "👀"]

  /// A key in the input line of the room.
  mutating func write(_ key: Key) -> [ProgramAction<Effect>] {
    switch key {
    case .enter: return send()
    case .escape:
      if let roomKey, replies.removeValue(forKey: roomKey) != nil { return [] }
      focus = .messages
      return keepDraft()
    case .up where input.text.isEmpty: focus = .messages
    default:
      var field = input
      if roomKey != nil, field.handle(key) { input = field }
    }
    return []
  }

  private mutating func send() -> [ProgramAction<Effect>] {
    guard let roomKey, let body = Keys.body(input.text) else { return [] }
    var random = Numbers(next: nextNumber)
    let post = Post(
      key: Keys.random(using: &random), room: roomKey, body: body, replyTo: replies[roomKey], sent: now())
    let actions = perform(.send(post))
    // The line stays as it is when the message cannot be sent.
    guard notice?.isError != true else { return actions }
    input = TextField()
    replies[roomKey] = nil
    messageKey = nil
    return actions + keepDraft()
  }

  /// A key in the input line of a mode.
  mutating func type(_ key: Key) -> [ProgramAction<Effect>] {
    var field = inputLine.field
    switch key {
    case .escape, .control("c"): mode = .browsing
    case .enter: return submit(field.text)
    default: if field.handle(key) { setInput(field) }
    }
    return []
  }

  private mutating func setInput(_ field: TextField) {
    switch mode {
    case .searching: mode = .searching(field)
    case .reacting(_, let message): mode = .reacting(field, message: message)
    case .renaming: mode = .renaming(field)
    default: input = field
    }
  }

  private mutating func submit(_ text: String) -> [ProgramAction<Effect>] {
    let mode = mode
    self.mode = .browsing
    switch mode {
    case .searching:
      guard let words = Keys.body(text) else { return [.perform(.search(nil))] }
      chat.search = SearchAnswer(text: words, hits: [], isComplete: false)
      self.mode = .hits(ListState())
      return [.perform(.search(words))]
    case .reacting(_, let key): return react(text, to: key)
    case .renaming:
      guard let name = Keys.name(text), name != chat.me.name else { return [] }
      return perform(.rename(name))
    default: return []
    }
  }

  private mutating func react(_ text: String, to key: String) -> [ProgramAction<Effect>] {
    guard let roomKey, let message = chat.message(key) else { return fail("the message is not here any more") }
    let quick = Int(text).flatMap { Self.quickReactions.indices.contains($0 - 1) ? Self.quickReactions[$0 - 1] : nil }
    guard let emoji = quick ?? Keys.reaction(text) else { return fail("\(EditError.noReaction(text))") }
    let isOn = !message.reactions.contains(Reaction(emoji: emoji, author: chat.me.id))
    return perform(.react(room: roomKey, message: key, emoji: emoji, isOn: isOn))
  }

  mutating func paste(_ text: String) {
    switch mode {
    case .creatingRoom(var form):
      form.paste(text)
      mode = .creatingRoom(form)
    case .inviting(var picker, let room):
      picker.words.paste(text)
      picker.list = ListState()
      mode = .inviting(picker, room: room)
    case .browsing, .searching, .reacting, .renaming:
      if mode == .browsing { focus = .input }
      var field = inputLine.field
      field.paste(text)
      setInput(field)
    case .help, .hits, .members, .confirming: break
    }
  }

  /// Chooses among what was found: Enter opens the room at the message.
  mutating func chooseHit(_ key: Key, _ state: ListState) -> [ProgramAction<Effect>] {
    var state = state
    let hits = chat.search?.hits ?? []
    if state.handle(key, count: hits.count, rows: max(1, size.rows - 4)) {
      mode = .hits(state)
      return []
    }
    switch key {
    case .enter where hits.indices.contains(state.selected):
      mode = .browsing
      let hit = hits[state.selected]
      let actions = open(hit.room)
      focus = .messages
      // Where its room is opened only now, the message is selected when it has come.
      let isHere = chat.openRoom == hit.room && chat.message(hit.message.key) != nil
      messageKey = isHere ? hit.message.key : nil
      soughtMessage = isHere ? nil : hit.message.key
      return actions
    case .character("/"): mode = .searching(TextField(chat.search?.text ?? ""))
    case .escape, .control("c"), .character("q"):
      mode = .browsing
      chat.search = nil
      return [.perform(.search(nil))]
    default: break
    }
    return []
  }
}
