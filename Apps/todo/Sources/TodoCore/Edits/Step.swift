/// One primitive write. An ``Edit`` becomes steps by ``EditPlan``; a store performs them in order and decides nothing.
public enum Step: Equatable, Sendable {
  case createList(key: String, name: String, order: Double)
  case renameList(key: String, to: String)
  /// Deletes a list with all items that it has.
  case deleteList(key: String)
  /// Makes items and puts them into a list, one behind the other.
  case createItems([Item], list: String, index: Int)
  case change(item: String, FieldChange)
  /// Moves an item within a list; `to` is its index afterwards.
  case move(list: String, from: Int, to: Int)
  /// Takes items out of a list and deletes them; the last one first, so that the indexes hold.
  case deleteItems([Located], list: String)
  /// Takes an item out of one list and puts it into another.
  case transfer(key: String, from: String, index: Int, to: String, toIndex: Int)
}

/// An item by its key, and where in its list it is.
public struct Located: Equatable, Sendable {
  public var key: String
  public var index: Int
}

extension Board {
  /// The board after a step. A step that does not fit is left out.
  func after(_ step: Step) -> Board {
    var lists = lists
    func change(_ key: String, _ body: (inout ItemList) -> Void) {
      if let index = lists.firstIndex(where: { $0.key == key }) { body(&lists[index]) }
    }
    switch step {
    case .createList(let key, let name, let order): lists.append(ItemList(key: key, name: name, order: order))
    case .renameList(let key, let name): change(key) { $0.name = name }
    case .deleteList(let key): lists.removeAll { $0.key == key }
    case .createItems(let items, let list, let index):
      change(list) { $0.items.insert(contentsOf: items, at: min(index, $0.items.count)) }
    case .change(let key, let field):
      for list in lists.indices {
        if let index = lists[list].items.firstIndex(where: { $0.key == key }) {
          field.apply(to: &lists[list].items[index].fields)
        }
      }
    case .move(let list, let from, let to):
      change(list) { list in
        guard list.items.indices.contains(from), list.items.indices.contains(to) else { return }
        list.items.insert(list.items.remove(at: from), at: to)
      }
    case .deleteItems(let items, let list):
      let keys = Set(items.map(\.key))
      change(list) { $0.items.removeAll { keys.contains($0.key) } }
    case .transfer(let key, let from, let index, let to, let toIndex):
      guard let item = item(key) else { break }
      change(from) { if $0.items.indices.contains(index) { $0.items.remove(at: index) } }
      change(to) { $0.items.insert(item, at: min(toIndex, $0.items.count)) }
    }
    return Board(lists: lists)
  }
}
