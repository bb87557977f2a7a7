import RealmSwift
import TodoCore

/// The steps of an edit as writes of live objects. Steps whose list or item is gone do nothing.
extension Realm {
  /// Performs one step within a write transaction.
  func perform(_ step: WriteStep) {
    switch step {
    case .createList(let key, let name, let order):
      let list = TodoList()
      (list._id, list.name, list.order) = (key, name, order)
      add(list, update: .modified)
    case .renameList(let key, let name): list(key)?.name = name
    case .deleteList(let key): deleteList(key)
    case .createItems(let items, let key, let next): create(items, in: key, before: next)
    case .change(let key, let change): item(key)?.apply(change)
    case .move(let key, let list, let next): move(key, in: list, before: next)
    case .deleteItems(let keys, let list): delete(keys, from: list)
    case .transfer(let key, let source, let target, let next): transfer(key, from: source, to: target, before: next)
    }
  }

  private func list(_ key: String) -> TodoList? { object(ofType: TodoList.self, forPrimaryKey: key) }
  private func item(_ key: String) -> TodoItem? { object(ofType: TodoItem.self, forPrimaryKey: key) }

  private func create(_ items: [Item], in key: String, before next: String?) {
    guard let list = list(key) else { return }
    var index = list.index(before: next)
    for item in items {
      let object = TodoItem(item)
      add(object, update: .modified)
      list.items.insert(object, at: index)
      index += 1
    }
  }

  private func move(_ key: String, in listKey: String, before next: String?) {
    guard let list = list(listKey), let source = list.index(of: key) else { return }
    let target = list.index(before: next)
    // The index afterwards counts without the item itself.
    let destination = target > source ? target - 1 : target
    if destination != source { list.items.move(from: source, to: destination) }
  }

  private func transfer(_ key: String, from source: String, to target: String, before next: String?) {
    guard let source = list(source), let target = list(target), let object = item(key) else { return }
    source.remove([key])
    target.items.insert(object, at: target.index(before: next))
  }

  private func delete(_ keys: [String], from key: String) {
    guard let list = list(key) else { return }
    list.remove(Set(keys))
    for key in keys {
      if let item = item(key) { delete(item) }
    }
  }

  private func deleteList(_ key: String) {
    guard let list = list(key) else { return }
    let items = Array(list.items)
    list.items.removeAll()
    // An item that is in another list too stays there.
    let elsewhere = Set(objects(TodoList.self).flatMap { $0.items.map(\._id) })
    for item in items where !item.isInvalidated && !elsewhere.contains(item._id) { delete(item) }
    delete(list)
  }
}

extension TodoList {
  /// The position of an item in the list as it is stored; nil where it is not.
  fileprivate func index(of key: String) -> Int? { items.firstIndex { $0._id == key } }

  /// The position at which something stands before an item; the end for nil, and for an item that is not there.
  fileprivate func index(before key: String?) -> Int { key.flatMap { index(of: $0) } ?? items.count }

  /// Takes items out of the list, however often they are in it.
  fileprivate func remove(_ keys: Set<String>) {
    for index in items.indices.reversed() where keys.contains(items[index]._id) { items.remove(at: index) }
  }
}
