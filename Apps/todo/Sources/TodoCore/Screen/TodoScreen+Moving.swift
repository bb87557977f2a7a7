import TerminalUI

/// Moving items to another list, one that exists or one that is made for them.
extension TodoScreen {
  /// Begins to choose the list for the targets.
  mutating func beginMoving() -> [ProgramAction<Effect>] {
    if let refusal = readOnly() { return refusal }
    let keys = targets.map(\.key)
    if !keys.isEmpty { mode = .choosingList(ListState(selected: lists.selected), items: keys) }
    return []
  }

  mutating func chooseList(_ key: Key, _ state: ListState, _ keys: [String]) -> [ProgramAction<Effect>] {
    var state = state
    if state.handle(key, count: board.lists.count, rows: max(1, size.rows - 5)) {
      mode = .choosingList(state, items: keys)
      return []
    }
    mode = .browsing
    switch key {
    case .character("n"), .character("L"), .character("a"), .insert: mode = .namingList(TextField(), items: keys)
    case .enter where board.lists.indices.contains(state.selected):
      return move(keys, to: board.lists[state.selected])
    default: break
    }
    return []
  }

  /// Moves items to a new list, or to the one that has the name already.
  mutating func move(_ keys: [String], toListNamed text: String) -> [ProgramAction<Effect>] {
    guard let name = Keys.listName(text) else { return [] }
    if let known = board.list(named: name) { return move(keys, to: known) }
    var random = Numbers(next: nextNumber)
    let list = ImportEdit.newList(name, on: board, using: &random)
    return move(keys, to: list, making: [.createList(list)])
  }

  private mutating func move(
    _ keys: [String], to list: ItemList, making edits: [TodoEdit] = []
  ) -> [ProgramAction<Effect>] {
    // Somebody else may have deleted some meanwhile.
    let items = keys.compactMap { board.item($0) }
    guard !items.isEmpty else { return fail("the item is gone; somebody else may have deleted it") }
    marked = []
    let moves = items.map { TodoEdit.moveItem(key: $0.key, list: list.key, at: .last) }
    let all = edits + moves
    return perform(all.count == 1 ? all[0] : .several(all), "move \(naming(items)) to '\(list.name)'")
  }
}
