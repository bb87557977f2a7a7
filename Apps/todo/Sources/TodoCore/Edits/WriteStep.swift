/// One primitive write. An ``TodoEdit`` becomes steps by ``EditPlan``; a store performs them in order and decides nothing.
///
/// Places are given by neighbours and not by numbers, because a stored list may hold more than what is shown.
public enum WriteStep: Equatable, Sendable {
  case createList(key: String, name: String, order: Double)
  case renameList(key: String, to: String)
  /// Deletes a list with all items that it has.
  case deleteList(key: String)
  /// Makes items and puts them into a list, in order, before another item; nil means at the end.
  case createItems([Item], list: String, before: String?)
  case change(item: String, FieldChange)
  /// Moves an item within a list to before another; nil means to the end.
  case move(key: String, list: String, before: String?)
  /// Takes items out of a list and deletes them.
  case deleteItems([String], list: String)
  /// Takes an item out of one list and puts it into another.
  case transfer(key: String, from: String, to: String, before: String?)
}

extension Board {
  /// The board after a step. What does not fit is left out.
  public func after(_ step: WriteStep) -> Board {
    var lists = lists
    func change(_ key: String, _ body: (inout [Item]) -> Void) {
      if let index = lists.firstIndex(where: { $0.key == key }) { body(&lists[index].items) }
    }
    switch step {
    case .createList(let key, let name, let order): lists.append(ItemList(key: key, name: name, order: order))
    case .renameList(let key, let name):
      if let index = lists.firstIndex(where: { $0.key == key }) { lists[index].name = name }
    case .deleteList(let key): lists.removeAll { $0.key == key }
    case .createItems(let items, let list, let next):
      change(list) { $0.insert(contentsOf: items, at: $0.index(before: next)) }
    case .change(let key, let field):
      for list in lists.indices {
        guard let index = lists[list].items.firstIndex(where: { $0.key == key }) else { continue }
        field.apply(to: &lists[list].items[index].fields)
      }
    case .move(let key, let list, let next):
      change(list) { items in
        guard let index = items.firstIndex(where: { $0.key == key }) else { return }
        let item = items.remove(at: index)
        items.insert(item, at: items.index(before: next))
      }
    case .deleteItems(let keys, let list):
      let keys = Set(keys)
      change(list) { $0.removeAll { keys.contains($0.key) } }
    case .transfer(let key, let source, let target, let next):
      guard let item = item(key) else { break }
      change(source) { $0.removeAll { $0.key == key } }
      change(target) { $0.insert(item, at: $0.index(before: next)) }
    }
    return Board(lists: lists)
  }
}

extension [Item] {
  /// The position of the item with a key; the end for nil, or where there is none.
  fileprivate func index(before key: String?) -> Int {
    guard let key else { return count }
    return firstIndex { $0.key == key } ?? count
  }
}
