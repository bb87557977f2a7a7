import Foundation
import TerminalUI

/// The screen of the app, as a value: lists at the left, items at the right, a status line below.
///
/// The screen decides everything and performs nothing. Messages bring boards and statuses in, effects carry edits out.
public struct TodoScreen: TerminalProgram {
  /// News for the screen.
  public enum Message: Equatable, Sendable {
    /// The store or its status has changed, here or elsewhere; the screen asks to see it.
    case changed
    case board(Board)
    case status(StoreStatus)
    /// An edit was performed.
    case performed(Performed, Purpose, label: String)
    /// Something that the user asked for did not work.
    case failed(String)
    /// Something that the user asked for is done.
    case notice(String)
    /// The users who have access to the lists, and who of them is here.
    case users([ListUser])
    /// A new day has begun.
    case day(Day)
  }

  /// Work that the screen asks for.
  public enum Effect: Equatable, Sendable {
    /// Answer with the board and the status.
    case reload
    case perform(TodoEdit, Purpose, label: String)
    case setOffline(Bool)
    case share(user: String, Access)
    /// Ask the server who has access to the lists and who is here.
    case askForUsers
    /// Try to connect now.
    case retry
  }

  /// The reason for an edit.
  public enum Purpose: Equatable, Sendable {
    case action, undo, redo
  }

  enum Focus: Equatable { case lists, items }

  /// The meaning of keys.
  enum Mode: Equatable {
    case browsing
    case addingItem(TextField)
    case addingList(TextField)
    case renamingList(String, TextField)
    case filtering(TextField)
    /// A form, the item that it edits, and the fields at its opening.
    case editing(Form, key: String, ItemFields)
    case sharing(Form)
    /// A choice of the list to which items move.
    case choosingList(ListState, items: [String])
    /// The name of a new list to which items move.
    case namingList(TextField, items: [String])
    case confirmingDelete(Dialog, list: String)
    case help(HelpOverlay)
  }

  /// An edit that can be undone, or done again.
  struct Undo: Equatable {
    var edit: TodoEdit
    var label: String
  }

  var board: Board
  var status: StoreStatus
  var today: Day
  var size = Size(rows: 24, columns: 80)
  var mode = Mode.browsing
  var focus = Focus.items
  var listKey: String?
  var itemKey: String?
  var lists = ListState()
  var items = ListState()
  var filter = ItemFilter()
  var scope = Scope.list
  var order = ItemOrder.own
  /// The keys of marked items; all of them are shown.
  var marked: Set<String> = []
  /// The last error in full, for the key that shows it.
  var lastError: String?
  var undos: [Undo] = []
  var redos: [Undo] = []
  var notice: (text: String, isError: Bool)?
  /// Titles of items that were added here, so that those can be named which the server refuses.
  var addedTitles: [String: String] = [:]
  /// Refused writes in words; ``refusedText`` is the text of the last refused item.
  var refusals: [(title: String, reason: String)] = []
  var refusedText: String?

  let now: @Sendable () -> Date
  let nextNumber: @Sendable () -> UInt64

  /// A screen.
  ///
  /// - Parameters:
  ///   - now: the clock, for the dates of new and completed items.
  ///   - nextNumber: random numbers, for the keys of new items.
  public init(
    board: Board = Board(), status: StoreStatus = StoreStatus(), today: Day, selecting list: String? = nil,
    now: @escaping @Sendable () -> Date, nextNumber: @escaping @Sendable () -> UInt64
  ) {
    self.board = board
    self.status = status
    self.today = today
    self.now = now
    self.nextNumber = nextNumber
    listKey = list.flatMap { board.list(named: $0)?.key } ?? board.lists.first?.key
    settle()
  }

  /// Takes a key, a message or a size, and answers the effects.
  ///
  /// - Complexity: O(*n*) in the items of the list that is shown.
  public mutating func update(_ event: ProgramEvent<Message>) -> [ProgramAction<Effect>] {
    defer { settle() }
    switch event {
    case .started(let size), .input(.resize(let size)):
      self.size = size
      return []
    case .input(.key(let key)):
      notice = nil
      return handle(key)
    case .input(.paste(let text)): return paste(text)
    case .input(.mouse(let mouse)): return handle(mouse)
    case .message(let message): return handle(message)
    }
  }

  private mutating func handle(_ message: Message) -> [ProgramAction<Effect>] {
    switch message {
    case .changed: return [.perform(.reload)]
    case .board(let board): self.board = board
    case .status(let status): return take(status)
    case .day(let day): today = day
    case .notice(let text): notice = (text, false)
    case .users(let users): show(users)
    case .failed(let text): return fail(text)
    case .performed(let performed, let purpose, let label): remember(performed, purpose, label)
    }
    return []
  }

  private mutating func remember(_ performed: Performed, _ purpose: Purpose, _ label: String) {
    if let inverse = performed.inverse {
      let undo = Undo(edit: inverse, label: label)
      switch purpose {
      case .action:
        undos.append(undo)
        redos = []
        if purpose == .action, label.hasPrefix("delete ") { notice = ("done: \(label); u brings it back", false) }
      case .undo: redos.append(undo)
      case .redo: undos.append(undo)
      }
      if undos.count > 100 { undos.removeFirst() }
    }
    if !performed.skipped.isEmpty {
      notice = ("left as somebody else changed it: " + performed.skipped.joined(separator: ", "), true)
    } else if purpose == .undo {
      notice = ("undone: \(label)", false)
    } else if purpose == .redo {
      notice = ("done again: \(label)", false)
    }
  }

  /// Asks for an edit; where the user may only read, says so instead.
  mutating func perform(_ edit: TodoEdit, _ label: String) -> [ProgramAction<Effect>] {
    readOnly() ?? [.perform(.perform(edit, .action, label: label))]
  }
}

/// The right of a user to a realm that is shared with them.
public enum Access: String, CaseIterable, Equatable, Sendable {
  case read, write, manage
}
