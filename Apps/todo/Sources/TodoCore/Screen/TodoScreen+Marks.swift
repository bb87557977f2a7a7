import TerminalUI

/// Items that are marked, so that one key acts on all of them.
extension TodoScreen {
  /// The items that keys act on: the marked ones in the order in which they are shown, else the selected one.
  var targets: [Item] {
    guard !marked.isEmpty else { return selectedItem.map { [$0] } ?? [] }
    return visibleItems.filter { marked.contains($0.key) }
  }

  /// The targets in words: the title of one, or their number.
  func naming(_ items: [Item]) -> String { items.count == 1 ? "'\(items[0].title)'" : "\(items.count) items" }

  /// Marks the selected item, or takes its mark away, and goes to the next.
  mutating func toggleMark() {
    guard let itemKey else { return }
    if marked.remove(itemKey) == nil { marked.insert(itemKey) }
    selectItem(at: min(items.selected + 1, visibleItems.count - 1))
  }

  /// Marks all items that are shown; where they are marked already, none.
  mutating func toggleAllMarks() {
    let shown = Set(visibleItems.map(\.key))
    marked = marked.isSuperset(of: shown) ? [] : shown
  }

  /// Performs one edit for each target, as one step, and takes the marks away.
  mutating func performOnTargets(
    _ verb: String, _ edit: (Item) -> TodoEdit?
  ) -> [ProgramAction<Effect>] {
    if let refusal = readOnly() { return refusal }
    let items = targets
    let edits = items.compactMap(edit)
    guard !edits.isEmpty else { return [] }
    marked = []
    return perform(edits.count == 1 ? edits[0] : .several(edits), "\(verb) \(naming(items))")
  }

  /// Forgets the marks of items that are not shown any more.
  mutating func settleMarks(_ visible: [Item]) {
    if !marked.isEmpty { marked.formIntersection(visible.map(\.key)) }
  }
}
