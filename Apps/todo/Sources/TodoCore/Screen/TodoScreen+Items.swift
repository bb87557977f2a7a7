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
    guard let item = selectedItem else { return [] }
    switch key {
    case .space, .character("x"): return toggle()
    case .enter, .character("e"): mode = .editing(editingForm(item.fields), key: item.key, item.fields)
    case .character("p"): return setPriority((item.priority + 1) % 4)
    case .character("0"), .character("1"), .character("2"), .character("3"):
      guard case .character(let digit) = key.code, let priority = digit.wholeNumberValue else { break }
      return setPriority(priority)
    case .character("d"), .delete: return deleteTargets()
    case .character("v"): toggleMark()
    case .character("V"): toggleAllMarks()
    case .character("K"), Key(.up, .shift), Key(.up, .alt), Key(.up, .control): return move(item, by: -1)
    case .character("J"), Key(.down, .shift), Key(.down, .alt), Key(.down, .control): return move(item, by: 1)
    case .character("m"): return beginMoving()
    default: break
    }
    return []
  }

  /// Completes the targets; where all are done, reopens them.
  private mutating func toggle() -> [ProgramAction<Effect>] {
    let isDone = targets.contains { !$0.isDone }
    let date = isDone ? now() : nil
    return performOnTargets(isDone ? "complete" : "reopen") { item in
      var fields = item.fields
      guard fields.isDone != isDone else { return nil }
      (fields.isDone, fields.completed) = (isDone, date)
      return .changeItem(key: item.key, FieldChange.changes(from: item.fields, to: fields), ifUnchanged: false)
    }
  }

  private mutating func setPriority(_ priority: Int) -> [ProgramAction<Effect>] {
    performOnTargets("priority of") { item in
      let change = FieldChange.priority(from: item.priority, to: priority)
      return .changeItem(key: item.key, [change], ifUnchanged: false)
    }
  }

  private mutating func deleteTargets() -> [ProgramAction<Effect>] {
    if let refusal = readOnly() { return refusal }
    let items = targets
    guard !items.isEmpty else { return [] }
    marked = []
    return perform(.deleteItems(items.map(\.key)), "delete \(naming(items))")
  }

  /// Moves past the next item that is shown; hidden ones in between are passed as well.
  private mutating func move(_ item: Item, by step: Int) -> [ProgramAction<Effect>] {
    guard scope == .list, order == .own, let list else {
      return fail("items are moved in the order of their list: Esc shows it")
    }
    let visible = visibleItems
    guard let row = visible.firstIndex(where: { $0.key == item.key }), visible.indices.contains(row + step),
      let target = list.items.firstIndex(where: { $0.key == visible[row + step].key })
    else { return [] }
    return perform(.moveItem(key: item.key, list: list.key, at: .index(target)), "move '\(item.title)'")
  }
}
