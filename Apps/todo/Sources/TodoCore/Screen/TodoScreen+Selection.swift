import TerminalUI

extension TodoScreen {
  /// The list whose items are shown.
  var list: ItemList? { listKey.flatMap { board.list($0) } }

  /// The items that are shown.
  ///
  /// - Complexity: O(*n*) in the items of the view; O(*n* log *n*) where they are sorted.
  var visibleItems: [Item] { order.apply(to: filter.apply(to: scope.items(of: list, on: board, today: today))) }

  /// The item at the cursor.
  var selectedItem: Item? { itemKey.flatMap { board.item($0) } }

  /// After every event: keeps the selection on the same list and item, wherever they are now. When the item
  /// is gone, its place in the list stays selected.
  mutating func settle() {
    let layout = ScreenLayout(size, focus: focus)
    if let index = board.lists.firstIndex(where: { $0.key == listKey }) {
      lists.selected = index
    } else {
      lists.settle(count: board.lists.count, rows: layout.lists.rows)
      select(list: board.lists.indices.contains(lists.selected) ? board.lists[lists.selected].key : nil)
    }
    lists.settle(count: board.lists.count, rows: layout.lists.rows)

    let visible = visibleItems
    settleMarks(visible)
    if let index = visible.firstIndex(where: { $0.key == itemKey }) { items.selected = index }
    items.settle(count: visible.count, rows: layout.items.rows)
    itemKey = visible.indices.contains(items.selected) ? visible[items.selected].key : nil
  }

  /// Shows another list, from its top.
  mutating func select(list key: String?) {
    guard key != listKey || scope != .list else { return }
    (listKey, scope, itemKey, items, marked) = (key, .list, nil, ListState(), [])
  }

  /// Selects the item at a row of the list as it is shown.
  mutating func selectItem(at row: Int) {
    let visible = visibleItems
    guard visible.indices.contains(row) else { return }
    items.selected = row
    itemKey = visible[row].key
  }
}
