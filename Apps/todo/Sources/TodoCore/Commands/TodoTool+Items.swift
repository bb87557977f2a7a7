import CommandLineKit
import Foundation

extension TodoTool {
  var add: Command {
    Command(
      "add", summary: "Add an item.",
      discussion: """
        The words become the title, except (A) at the beginning, due:DAY and the other words of todo.txt. A list that \
        --list names must exist, unless --create is given.
        """,
      options: [
        .value("priority", short: "p", valueName: "LETTER", help: "A (most urgent) to Z."),
        .value("due", short: "d", valueName: "DAY", help: "2026-11-21, today, tomorrow, +3, fri."),
        .value("notes", short: "n", valueName: "TEXT", help: "Further text."),
        .flag("first", help: "Put it at the top instead of the end."),
        .flag("create", help: "Make the list that --list names."),
        .flag("json", help: "Print the item as JSON."),
      ],
      arguments: [.many("word", help: "The words of the item.")]
    ) { invocation, console in
      let text = invocation.arguments("word").joined(separator: " ")
      guard !text.allSatisfy(\.isWhitespace) else { throw UsageError(invocation, "the item has no title") }
      var fields = TypedItem.fields(text, today: today())
      try apply(invocation, to: &fields)
      try withStore(invocation) { store in
        let board = try store.board()
        var random = numbers()
        let item = ImportEdit.item(fields, now(), &random)
        let place: ListPosition = invocation.flag("first") ? .first : .last
        var edits: [TodoEdit] = []
        let list: ItemList
        if let known = try? ItemSelector.list(invocation.text("list"), on: board) {
          list = known
        } else {
          try checkList(invocation, on: board)
          list = ImportEdit.newList(
            Keys.listName(invocation.text("list") ?? "Inbox") ?? "Inbox", on: board, using: &random)
          edits.append(.createList(list))
        }
        edits.append(.createItems([item], list: list.key, at: place))
        try perform(.several(edits), store, invocation, console) { state in
          if invocation.flag("json") {
            console.print(json: BoardReport.json(item, number: nil, isUploaded: state == .done))
          } else {
            console.print("added '\(item.title)' to \(list.name)\(state.note)")
          }
        }
      }
    }
  }

  /// The options --title, --priority, --due and --notes.
  private func apply(_ invocation: Invocation, to fields: inout ItemFields) throws {
    if let letter = invocation.text("priority") {
      guard let priority = letter.isEmpty || letter == "none" ? 0 : Priority.number(letter) else {
        throw UsageError(invocation, "'\(letter)' is not valid for '--priority': expected a letter or none")
      }
      fields.priority = priority
    }
    if let text = invocation.text("due") {
      let day = Day(typed: text, today: today())
      guard day != nil || text.isEmpty || text == "none" else {
        throw UsageError(
          invocation, "'\(text)' is not valid for '--due': expected 2026-11-21, today, tomorrow, +3, fri or none")
      }
      fields.due = day
    }
    if let notes = invocation.text("notes") { fields.notes = notes }
  }

  var edit: Command {
    Command(
      "edit", summary: "Change fields of an item.",
      options: [
        .value("title", short: "t", valueName: "TEXT", kind: .nonEmptyText, help: "The new title."),
        .value("priority", short: "p", valueName: "LETTER", help: "A to Z, or none."),
        .value("due", short: "d", valueName: "DAY", help: "2026-11-21, today, tomorrow, +3, fri, or none."),
        .value("notes", short: "n", valueName: "TEXT", help: "Further text."),
      ],
      arguments: [.one("item", help: "Its number, key, title, or a part of the title.")]
    ) { invocation, console in
      try withStore(invocation) { store in
        let item = try ItemSelector.item(
          invocation.argument("item") ?? "", list: invocation.text("list"), on: store.board())
        var fields = item.fields
        if let title = invocation.text("title") { fields.title = title }
        try apply(invocation, to: &fields)
        let changes = FieldChange.changes(from: item.fields, to: fields)
        guard !changes.isEmpty else {
          throw UsageError(invocation, "nothing to change; give --title, --priority, --due or --notes")
        }
        try perform(.changeItem(key: item.key, changes, ifUnchanged: false), store, invocation, console) { state in
          console.print("changed \(changes.map(\.name).joined(separator: ", ")) of '\(item.title)'\(state.note)")
        }
      }
    }
  }

  var done: Command {
    Command(
      "done", summary: "Complete items.",
      options: [.flag("undo", help: "Reopen them instead.")],
      arguments: [.many("item", help: "Numbers, keys, titles, or parts of titles.")]
    ) { invocation, console in
      try withItems(invocation, console) { items in
        .several(
          items.map { item in
            var fields = item.fields
            fields.isDone = !invocation.flag("undo")
            fields.completed = fields.isDone ? item.completed ?? now() : nil
            return .changeItem(key: item.key, FieldChange.changes(from: item.fields, to: fields), ifUnchanged: false)
          })
      } report: {
        (invocation.flag("undo") ? "reopened" : "completed") + " '\($0)'"
      }
    }
  }

  var remove: Command {
    Command(
      "rm", summary: "Delete items.",
      arguments: [.many("item", help: "Numbers, keys, titles, or parts of titles.")]
    ) { invocation, console in
      try withItems(invocation, console) {
        .deleteItems($0.map(\.key))
      } report: {
        "deleted '\($0)'"
      }
    }
  }

  private func withItems(
    _ invocation: Invocation, _ console: Console, _ edit: ([Item]) -> TodoEdit, report: (String) -> ConsoleText
  ) throws {
    try withStore(invocation) { store in
      let board = try store.board()
      var items: [Item] = []
      for word in invocation.arguments("item") {
        let item = try ItemSelector.item(word, list: invocation.text("list"), on: board)
        if !items.contains(item) { items.append(item) }
      }
      try perform(edit(items), store, invocation, console) { state in
        for item in items { console.print(report(item.title) + state.note) }
      }
    }
  }

  var move: Command {
    Command(
      "move", summary: "Move an item within its list or to another.",
      options: [.value("to", valueName: "LIST", kind: .nonEmptyText, help: "The list to move it to.")],
      arguments: [
        .one("item", help: "Its number, key, title, or a part of the title."),
        .optional("place", help: "first, last, up, down, or a number."),
      ]
    ) { invocation, console in
      try withStore(invocation) { store in
        let board = try store.board()
        let item = try ItemSelector.item(invocation.argument("item") ?? "", list: invocation.text("list"), on: board)
        guard let (source, index) = board.location(of: item.key) else { throw EditError.itemIsGone }
        let target = try invocation.text("to").map { try ItemSelector.list($0, on: board) } ?? source
        let word = invocation.argument("place") ?? "last"
        guard invocation.argument("place") != nil || invocation.text("to") != nil else {
          throw UsageError(invocation, "where to? give a place or --to LIST")
        }
        guard let place = Self.place(word, from: index) else {
          throw UsageError(invocation, "'\(word)' is not valid for PLACE: expected first, last, up, down or a number")
        }
        try perform(.moveItem(key: item.key, list: target.key, at: place), store, invocation, console) { state in
          let number = try store.board().location(of: item.key).map { $0.index + 1 } ?? 0
          console.print("moved '\(item.title)' to \(target.name), number \(number)\(state.note)")
        }
      }
    }
  }

  private static func place(_ word: String, from index: Int) -> ListPosition? {
    switch word {
    case "first", "top": .first
    case "last", "end": .last
    case "up": .index(max(0, index - 1))
    case "down": .index(index + 1)
    default: Int(word).flatMap { $0 >= 1 ? .index(min($0, 1_000_000) - 1) : nil }
    }
  }
}
