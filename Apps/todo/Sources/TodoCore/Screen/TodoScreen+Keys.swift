import TerminalUI

extension TodoScreen {
  mutating func handle(_ key: Key) -> [ProgramAction<Effect>] {
    switch mode {
    case .browsing: return browse(key)
    case .help(var overlay):
      mode = overlay.handle(key) ? .help(overlay) : .browsing
    case .confirmingDelete(var dialog, let list):
      switch dialog.handle(key) {
      case .open: mode = .confirmingDelete(dialog, list: list)
      case .answered(1):
        mode = .browsing
        return perform(.deleteList(key: list), "delete list '\(board.list(list)?.name ?? "")'")
      case .answered, .cancelled: mode = .browsing
      }
    case .choosingList(let state, let keys): return chooseList(key, state, keys)
    case .editing(let form, let item, let old): return edit(key, form, item, old)
    case .sharing(let form): return share(key, form)
    case .addingItem, .addingList, .renamingList, .namingList, .filtering: return type(key)
    }
    return []
  }

  private mutating func browse(_ key: Key) -> [ProgramAction<Effect>] {
    switch key {
    case .character("q"), .control("c"): return [.quit]
    case .control("z"): return [.suspend]
    case .control("l"): return [.redraw]
    case .character("?"), .function(1): mode = .help(Self.help)
    case .tab, .backTab: focus = focus == .lists ? .items : .lists
    case .left, .character("h"): focus = .lists
    case .right, .character("l"): focus = .items
    case .character("/"): mode = .filtering(TextField(filter.text))
    case .character("f"): filter.state = filter.state == .all ? .open : filter.state == .open ? .done : .all
    case .escape: goBack()
    case .character("t"): order = order.next
    case .character("A"): show(scope == .all ? .list : .all)
    case .character("O"): show(scope == .overdue ? .list : .overdue)
    case .character("S"):
      show(.all)
      mode = .filtering(TextField(filter.text))
    case .character("!"):
      guard let overlay = errorOverlay else { return fail("there was no error") }
      mode = .help(overlay)
    case .character("R"):
      guard !refusals.isEmpty else { return fail("nothing was refused") }
      mode = .help(refusalOverlay)
    case .character("u"): return undo()
    case .control("r"): return redo()
    case .character("o"):
      guard status.connection != .local else { return fail("log in first: todo login --server URL --user NAME") }
      return [.perform(.setOffline(status.connection != .offline))]
    case .character("r"): return [.perform(.retry)]
    case .character("s"):
      guard status.connection != .local else { return fail("log in first: todo login --server URL --user NAME") }
      mode = .sharing(Self.sharingForm())
    case .character("w"): return askForUsers()
    case .character("L"):
      if let refusal = readOnly() { return refusal }
      mode = .addingList(TextField())
    default: return focus == .lists ? browseLists(key) : browseItems(key)
    }
    return []
  }

  /// Shows an error until the next key, and keeps it for the key that shows it in full.
  mutating func fail(_ text: String) -> [ProgramAction<Effect>] {
    notice = (text, true)
    lastError = text
    return [.bell]
  }

  /// Shows other items, from their top.
  private mutating func show(_ scope: Scope) {
    (self.scope, focus, items, itemKey) = (scope, .items, ListState(), nil)
  }

  /// Takes back one choice after the other: marks, filter, order, view.
  private mutating func goBack() {
    if !marked.isEmpty {
      marked = []
    } else if !filter.isOff {
      filter = ItemFilter()
    } else if order != .own {
      order = .own
    } else if scope != .list {
      show(.list)
    }
  }

  private mutating func undo() -> [ProgramAction<Effect>] {
    if let refusal = readOnly() { return refusal }
    guard let undo = undos.popLast() else { return fail("nothing to undo") }
    return [.perform(.perform(undo.edit, .undo, label: undo.label))]
  }

  private mutating func redo() -> [ProgramAction<Effect>] {
    if let refusal = readOnly() { return refusal }
    guard let redo = redos.popLast() else { return fail("nothing to do again") }
    return [.perform(.perform(redo.edit, .redo, label: redo.label))]
  }

  private mutating func browseLists(_ key: Key) -> [ProgramAction<Effect>] {
    let rows = ScreenLayout(size, focus: focus).lists.rows
    if lists.handle(key, count: board.lists.count, rows: rows) {
      if board.lists.indices.contains(lists.selected) { select(list: board.lists[lists.selected].key) }
      return []
    }
    switch key {
    case .enter: focus = .items
    case .character("a"), .character("n"):
      if let refusal = readOnly() { return refusal }
      mode = .addingList(TextField())
    case .character("e"):
      if let refusal = readOnly() { return refusal }
      if let list { mode = .renamingList(list.key, TextField(list.name)) }
    case .character("d"), .delete:
      guard let list else { break }
      if let refusal = readOnly() { return refusal }
      guard !list.items.isEmpty else { return perform(.deleteList(key: list.key), "delete list '\(list.name)'") }
      let count = list.items.count == 1 ? "1 item" : "\(list.items.count) items"
      let dialog = Dialog(
        title: "Delete", message: "Delete '\(list.name)' with \(count)?", answers: ["Keep", "Delete"])
      mode = .confirmingDelete(dialog, list: list.key)
    default: break
    }
    return []
  }

  mutating func handle(_ mouse: Mouse) -> [ProgramAction<Effect>] {
    guard mode == .browsing else { return [] }
    let layout = ScreenLayout(size, focus: focus)
    let isInLists = layout.lists.contains(mouse.position)
    guard isInLists || layout.items.contains(mouse.position) else { return [] }
    switch mouse.action {
    case .wheelUp, .wheelDown:
      let key = mouse.action == .wheelUp ? Key.up : .down
      return isInLists ? browseLists(key) : browseItems(key)
    case .press where isInLists:
      focus = .lists
      if let row = lists.row(at: mouse.position.row - layout.lists.row, count: board.lists.count) {
        select(list: board.lists[row].key)
      }
    case .press:
      focus = .items
      if let row = items.row(at: mouse.position.row - layout.items.row, count: visibleItems.count) {
        let wasSelected = items.selected == row
        selectItem(at: row)
        // A second click on the box at the left completes the item.
        if wasSelected, mouse.position.column < layout.items.column + 4 { return browseItems(.space) }
      }
    case .release: break
    }
    return []
  }
}
