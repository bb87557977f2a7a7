public import Foundation
public import TerminalUI

/// The screen of the app, as a value: rooms at the left, messages at the right, an input line and a status line below.
///
/// The screen decides everything and performs nothing. Messages bring snapshots and statuses in, effects carry edits out.
public struct ChatScreen: TerminalProgram {
  /// News for the screen.
  public enum Message: Equatable, Sendable {
    /// The store or its status has changed, here or elsewhere; the screen asks to see it.
    case changed
    case snapshot(ChatSnapshot)
    case status(ChatStatus)
    /// Something that the user asked for did not work.
    case failed(String)
    /// Something that the user asked for is done.
    case notice(String)
  }

  /// Work that the screen asks for.
  public enum Effect: Equatable, Sendable {
    /// Answer with the snapshot and the status.
    case reload
    case perform(ChatEdit)
    /// Show a room; nil shows none.
    case open(String?)
    /// Ask for earlier messages of the open room.
    case older
    /// Search for words; nil ends the search.
    case search(String?)
    case setOffline(Bool)
    /// Try to connect now.
    case retry
  }

  enum Focus: Equatable { case rooms, messages, input }

  /// The meaning of keys.
  enum Mode: Equatable {
    case browsing
    case searching(TextField)
    /// The answer to a search, with the selected hit.
    case hits(ListState)
    /// A choice of a reaction for a message.
    case reacting(TextField, message: String)
    case creatingRoom(Form)
    /// The members of a room, with the selected one.
    case members(ListState, room: String)
    case inviting(MemberPicker, room: String)
    case confirming(Dialog, ChatEdit)
    case renaming(TextField)
    case help(HelpOverlay)
  }

  var chat: ChatSnapshot
  var status: ChatStatus
  var size = Size(rows: 24, columns: 80)
  var mode = Mode.browsing
  var focus = Focus.input
  /// The key of the room that is shown.
  var roomKey: String?
  var rooms = ListState()
  /// The key of the selected message; nil while the newest one is followed.
  var messageKey: String?
  /// The key of a message to select as soon as its room is open.
  var soughtMessage: String?
  /// The topmost line of messages that is in sight.
  var topLine = 0
  /// The text that is being written, by room.
  var inputs: [String: TextField] = [:]
  /// The message that is answered, by room.
  var replies: [String: String] = [:]
  /// Where the unread messages of the room began when it was opened.
  var newSince: Date?
  /// The date up to which this screen has reported messages as read, by room.
  var reported: [String: Date] = [:]
  /// Whether earlier messages were asked for.
  var isAskingOlder = false
  var notice: (text: String, isError: Bool)?
  /// The writes that were refused, in words.
  var refusals: [(title: String, reason: String)] = []

  let now: @Sendable () -> Date
  /// The seconds by which local time is ahead of UTC at a date.
  let zone: @Sendable (Date) -> Int
  let nextNumber: @Sendable () -> UInt64

  /// A screen.
  ///
  /// - Parameters:
  ///   - room: the key of the room to show; nil shows the first one.
  ///   - now: the clock, for the dates of messages.
  ///   - zone: the seconds by which local time is ahead of UTC at a date.
  ///   - nextNumber: random numbers, for the keys of messages and rooms.
  public init(
    chat: ChatSnapshot, status: ChatStatus = ChatStatus(), room: String? = nil, now: @escaping @Sendable () -> Date,
    zone: @escaping @Sendable (Date) -> Int, nextNumber: @escaping @Sendable () -> UInt64
  ) {
    self.chat = chat
    self.status = status
    self.now = now
    self.zone = zone
    self.nextNumber = nextNumber
    roomKey = room ?? chat.openRoom ?? chat.rooms.first?.key
    newSince = chat.room(roomKey)?.readUpTo
    // Where there is no room to write in, the keys that make one are at hand.
    if roomKey == nil { focus = .rooms }
    settle()
  }

  /// Takes a key, a message or a size, and answers the effects.
  ///
  /// - Complexity: O(*n*) in the messages of the room that is shown.
  public mutating func update(_ event: ProgramEvent<Message>) -> [ProgramAction<Effect>] {
    var actions: [ProgramAction<Effect>] = []
    switch event {
    case .started(let size):
      self.size = size
      if let roomKey, chat.openRoom != roomKey { actions = [.perform(.open(roomKey))] }
    case .input(.resize(let size)): self.size = size
    case .input(.key(let key)):
      notice = nil
      actions = handle(key)
    case .input(.paste(let text)): paste(text)
    case .input(.mouse(let mouse)): actions = handle(mouse)
    case .message(let message): actions = handle(message)
    }
    settle()
    return actions + markRead()
  }

  private mutating func handle(_ message: Message) -> [ProgramAction<Effect>] {
    switch message {
    case .changed: return [.perform(.reload)]
    case .snapshot(let chat): return take(chat)
    case .status(let status): return take(status)
    case .notice(let text): notice = (text, false)
    case .failed(let text): return fail(text)
    }
    return []
  }

  private mutating func take(_ chat: ChatSnapshot) -> [ProgramAction<Effect>] {
    let (shown, hadRooms) = (room, !self.chat.rooms.isEmpty)
    self.chat = chat
    isAskingOlder = false
    if let sought = soughtMessage, chat.openRoom == roomKey, focus == .messages, chat.message(sought) != nil {
      (messageKey, soughtMessage) = (sought, nil)
    }
    guard chat.room(roomKey) == nil else { return [] }
    if let shown {
      // No other room takes its place: what is being typed must not end up there.
      (roomKey, messageKey, focus) = (nil, nil, .input)
      return fail("'\(shown.name)' is gone: you are no member any more") + [.perform(.open(nil))]
    }
    guard !hadRooms, let first = chat.rooms.first?.key else { return [] }
    if mode == .browsing { focus = .input }
    return open(first)
  }

  /// Tells that the messages in sight are read: those of the open room, up to the last one, while it is in sight.
  private mutating func markRead() -> [ProgramAction<Effect>] {
    guard let roomKey, chat.openRoom == roomKey, messageKey == nil, mode == .browsing,
      let last = chat.messages.last(where: { $0.author != chat.me.id }), let room = chat.room(roomKey),
      room.readUpTo.map({ $0 < last.sent }) ?? true, reported[roomKey].map({ $0 < last.sent }) ?? true
    else { return [] }
    reported[roomKey] = last.sent
    return [.perform(.perform(.markRead(room: roomKey, upTo: last.sent)))]
  }

  mutating func fail(_ text: String) -> [ProgramAction<Effect>] {
    notice = (text, true)
    return [.bell]
  }

  /// Asks for an edit, and shows it before the store confirms it; where it cannot be done, says why.
  mutating func perform(_ edit: ChatEdit) -> [ProgramAction<Effect>] {
    do {
      try edit.check(on: chat)
    } catch {
      return fail("\(error)")
    }
    chat = chat.after(edit)
    return [.perform(.perform(edit))]
  }
}

/// Random numbers from a function.
struct Numbers: RandomNumberGenerator {
  private let source: @Sendable () -> UInt64
  init(next: @escaping @Sendable () -> UInt64) { source = next }
  mutating func next() -> UInt64 { source() }
}
