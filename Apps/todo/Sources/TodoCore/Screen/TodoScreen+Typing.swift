import Foundation
import TerminalUI

extension TodoScreen {
  /// The input line of the mode, and what it asks for.
  var inputLine: (label: String, field: TextField, hint: String)? {
    switch mode {
    case .addingItem(let field): ("New item:", field, "(A) Buy milk due:tomorrow")
    case .addingList(let field): ("New list:", field, "")
    case .renamingList(_, let field): ("Rename to:", field, "")
    case .namingList(let field, _): ("Move to new list:", field, "")
    case .filtering(let field): ("Filter:", field, "words of the title or notes")
    default: nil
    }
  }

  private mutating func setInput(_ field: TextField) {
    switch mode {
    case .addingItem: mode = .addingItem(field)
    case .addingList: mode = .addingList(field)
    case .renamingList(let key, _): mode = .renamingList(key, field)
    case .namingList(_, let keys): mode = .namingList(field, items: keys)
    case .filtering:
      mode = .filtering(field)
      filter.text = field.text
    default: break
    }
  }

  mutating func type(_ key: Key) -> [ProgramAction<Effect>] {
    guard var field = inputLine?.field else { return [] }
    switch key {
    case .enter: return submit(field.text)
    case .escape, .control("c"):
      if case .filtering = mode { filter.text = "" }
      mode = .browsing
    case .up, .down:
      if case .filtering = mode { return browseItems(key) }
    default:
      if field.handle(key) { setInput(field) }
    }
    return []
  }

  mutating func paste(_ text: String) -> [ProgramAction<Effect>] {
    switch mode {
    case .editing(var form, let key, let old):
      form.paste(text)
      mode = .editing(form, key: key, old)
    case .sharing(var form):
      form.paste(text)
      mode = .sharing(form)
    default:
      guard var field = inputLine?.field else { break }
      field.paste(text)
      setInput(field)
    }
    return []
  }

  private mutating func submit(_ text: String) -> [ProgramAction<Effect>] {
    // The line stays as it is: the right was withdrawn while it was typed.
    if case .filtering = mode {} else if !text.allSatisfy(\.isWhitespace), let refusal = readOnly() { return refusal }
    switch mode {
    case .addingItem:
      guard !text.allSatisfy(\.isWhitespace) else {
        mode = .browsing
        return []
      }
      // The line stays for the next item.
      mode = .addingItem(TextField())
      return addItem(TypedItem.fields(text, today: today))
    case .addingList:
      mode = .browsing
      guard let name = Keys.listName(text) else { return [] }
      if let known = board.list(named: name) {
        select(list: known.key)
        return fail("there is a list '\(known.name)' already")
      }
      var random = Numbers(next: nextNumber)
      let list = ImportEdit.newList(name, on: board, using: &random)
      select(list: list.key)
      board = Board(lists: board.lists + [list])
      return perform(.createList(list), "new list '\(name)'")
    case .renamingList(let key, _):
      mode = .browsing
      guard let name = Keys.listName(text), let list = board.list(key), list.name != name else { return [] }
      return perform(.renameList(key: key, from: list.name, to: name), "rename list '\(list.name)'")
    case .namingList(_, let keys):
      mode = .browsing
      return move(keys, toListNamed: text)
    default:
      mode = .browsing
      return []
    }
  }

  /// Adds an item at the end of the list that is shown; where there is no list, makes one.
  mutating func addItem(_ fields: ItemFields) -> [ProgramAction<Effect>] {
    var random = Numbers(next: nextNumber)
    let item = ImportEdit.item(fields, now(), &random)
    let label = "add '\(item.title)'"
    if let refusal = readOnly() { return refusal }
    addedTitles[item.key] = item.title
    if !filter.apply(to: [item]).contains(item) { filter = ItemFilter() }
    if scope == .overdue, !item.isOverdue(on: today) { scope = .list }
    if let listKey, board.list(listKey) != nil {
      expect(item, in: listKey)
      return perform(.createItems([item], list: listKey, at: .last), label)
    }
    let list = ImportEdit.newList("Inbox", on: board, using: &random)
    listKey = list.key
    board = Board(lists: board.lists + [list])
    expect(item, in: list.key)
    return perform(.several([.createList(list), .createItems([item], list: list.key, at: .last)]), label)
  }

  /// Shows an item before the store confirms it, so that the selection can stay on it.
  private mutating func expect(_ item: Item, in key: String) {
    board = board.after(.createItems([item], list: key, before: nil))
    itemKey = item.key
  }
}

/// Random numbers from a function.
struct Numbers: RandomNumberGenerator {
  private let source: @Sendable () -> UInt64
  init(next: @escaping @Sendable () -> UInt64) { source = next }
  mutating func next() -> UInt64 { source() }
}

/// The line typed for a new item: a title, and words as in todo.txt; `due:` takes `tomorrow`, `+3` and `fri` too.
public enum TypedItem {
  /// The fields that a line means.
  public static func fields(_ text: String, today: Day) -> ItemFields {
    let words = text.split(separator: " ", omittingEmptySubsequences: false).map { word in
      guard word.hasPrefix("due:"), let day = Day(typed: String(word.dropFirst(4)), today: today) else {
        return String(word)
      }
      return "due:" + day.text
    }
    var fields = TaskText(words.joined(separator: " ")).fields
    if fields.title.isEmpty { fields = ItemFields(anyTitle: text) }
    return fields
  }
}
