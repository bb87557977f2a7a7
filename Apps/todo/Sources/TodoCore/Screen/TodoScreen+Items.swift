import TerminalUI

extension TodoScreen {
  mutating func browseItems(_ key: Key) -> [ProgramAction<Effect>] {
    let rows = ScreenLayout(size, focus: focus).items.rows
    if items.handle(key, count: visibleItems.count, rows: rows) {
      selectItem(at: items.selected)
      return []
    }
    switch key {
    case .character("a"), .character("n"), .insert:
      if let refusal = readOnly() { return refusal }
      mode = .addingItem(takeRefusedText())
      return []
    default: break
    }
    guard let item = selectedItem, let list else { return [] }
    switch key {
    case .space, .character("x"): return toggle(item)
    case .enter, .character("e"): mode = .editing(editingForm(item.fields), key: item.key, item.fields)
    case .character("p"): return setPriority(item, (item.priority + 1) % 4)
    case .character("0"), .character("1"), .character("2"), .character("3"):
      guard case .character(let digit) = key.code, let priority = digit.wholeNumberValue else { break }
      return setPriority(item, priority)
    case .character("d"), .delete: return perform(.deleteItems([item.key]), "delete '\(item.title)'")
    case .character("K"), Key(.up, .shift), Key(.up, .alt), Key(.up, .control): return move(item, in: list, by: -1)
    case .character("J"), Key(.down, .shift), Key(.down, .alt), Key(.down, .control): return move(item, in: list, by: 1)
    case .character("m"):
      if let refusal = readOnly() { return refusal }
      mode = .choosingList(ListState(selected: lists.selected), item: item.key)
    default: break
    }
    return []
  }

  private mutating func toggle(_ item: Item) -> [ProgramAction<Effect>] {
    var fields = item.fields
    fields.isDone.toggle()
    fields.completed = fields.isDone ? now() : nil
    let label = (fields.isDone ? "complete" : "reopen") + " '\(item.title)'"
    return perform(
      .changeItem(key: item.key, FieldChange.changes(from: item.fields, to: fields), ifUnchanged: false), label)
  }

  private mutating func setPriority(_ item: Item, _ priority: Int) -> [ProgramAction<Effect>] {
    let change = FieldChange.priority(from: item.priority, to: priority)
    return perform(.changeItem(key: item.key, [change], ifUnchanged: false), "priority of '\(item.title)'")
  }

  /// Moves past the next item that is shown; hidden ones in between are passed as well.
  private mutating func move(_ item: Item, in list: ItemList, by step: Int) -> [ProgramAction<Effect>] {
    let visible = visibleItems
    guard let row = visible.firstIndex(where: { $0.key == item.key }), visible.indices.contains(row + step),
      let target = list.items.firstIndex(where: { $0.key == visible[row + step].key })
    else { return [] }
    return perform(.moveItem(key: item.key, list: list.key, at: .index(target)), "move '\(item.title)'")
  }
}
