import Foundation
public import ObjectStore
public import RecordStore
public import TodoCore

/// Lists kept in a realm. Confined to the thread that opened the realm.
public final class RealmTodoStore: TodoStore {
  private let realm: Realm

  /// The file behind the realm, for what keeps it in step with a server.
  public var file: RealmFile { realm.file }

  /// A store over an open realm with ``TodoList`` and ``TodoItem``.
  public init(_ realm: Realm) { self.realm = realm }

  /// Opens the realm in a file for the calling thread, creating it if there is none.
  ///
  /// - Parameter isSynced: whether write transactions are recorded for a server.
  /// - Throws: `Realm.Error`.
  public convenience init(path: String, isSynced: Bool) throws {
    self.init(
      try Realm(
        configuration: Realm.Configuration(
          fileURL: URL(fileURLWithPath: path), objectTypes: [TodoList.self, TodoItem.self], recordsChangesets: isSynced)
      ))
  }

  public func board() throws -> Board {
    realm.refresh()
    return read()
  }

  /// What the realm holds. While apart, two people may have put one item into two lists, or twice into one; it
  /// is shown once, where it comes first.
  private func read() -> Board {
    var seen: Set<String> = []
    var lists: [ItemList] = []
    // In one order on every device, so that all of them show a doubled item in the same place.
    let stored = realm.objects(TodoList.self).sorted { ($0.order, $0.name, $0._id) < ($1.order, $1.name, $1._id) }
    for list in stored {
      var items: [Item] = []
      for object in list.items where seen.insert(object._id).inserted { items.append(object.item) }
      lists.append(ItemList(key: list._id, name: list.name, order: list.order, items: items))
    }
    return Board(lists: lists)
  }

  public func perform(_ edit: Edit) throws -> Performed {
    try realm.write {
      let plan = try EditPlan(edit, on: read())
      for step in plan.steps { perform(step) }
      return Performed(inverse: plan.inverse, skipped: plan.skipped)
    }
  }

  private func perform(_ step: Step) {
    switch step {
    case .createList(let key, let name, let order):
      let list = TodoList()
      (list._id, list.name, list.order) = (key, name, order)
      realm.add(list, update: .modified)
    case .renameList(let key, let name): list(key)?.name = name
    case .deleteList(let key): deleteList(key)
    case .createItems(let items, let key, let next): create(items, in: key, before: next)
    case .change(let key, let change): item(key)?.apply(change)
    case .move(let key, let list, let next): move(key, in: list, before: next)
    case .deleteItems(let keys, let list): delete(keys, from: list)
    case .transfer(let key, let source, let target, let next): transfer(key, from: source, to: target, before: next)
    }
  }

  private func list(_ key: String) -> TodoList? { realm.object(ofType: TodoList.self, forPrimaryKey: key) }
  private func item(_ key: String) -> TodoItem? { realm.object(ofType: TodoItem.self, forPrimaryKey: key) }

  /// Where an item is in a list as it is stored.
  private func index(of key: String?, in list: TodoList) -> Int? {
    guard let key else { return nil }
    return list.items.firstIndex { $0._id == key }
  }

  private func create(_ items: [Item], in key: String, before next: String?) {
    guard let list = list(key) else { return }
    var index = index(of: next, in: list) ?? list.items.count
    for item in items {
      let object = TodoItem(item)
      realm.add(object, update: .modified)
      list.items.insert(object, at: index)
      index += 1
    }
  }

  private func move(_ key: String, in listKey: String, before next: String?) {
    guard let list = list(listKey), let source = index(of: key, in: list) else { return }
    let target = index(of: next, in: list) ?? list.items.count
    // The index afterwards counts without the item itself.
    let destination = target > source ? target - 1 : target
    if destination != source { list.items.move(from: source, to: destination) }
  }

  private func transfer(_ key: String, from source: String, to target: String, before next: String?) {
    guard let source = list(source), let target = list(target), let object = item(key) else { return }
    remove([key], from: source)
    target.items.insert(object, at: index(of: next, in: target) ?? target.items.count)
  }

  /// Takes items out of a list, however often they are in it.
  private func remove(_ keys: Set<String>, from list: TodoList) {
    for index in list.items.indices.reversed() where keys.contains(list.items[index]._id) {
      list.items.remove(at: index)
    }
  }

  private func delete(_ keys: [String], from key: String) {
    guard let list = list(key) else { return }
    remove(Set(keys), from: list)
    for key in keys {
      if let item = item(key) { realm.delete(item) }
    }
  }

  private func deleteList(_ key: String) {
    guard let list = list(key) else { return }
    let items = Array(list.items)
    list.items.removeAll()
    // An item that is in another list too stays there.
    var elsewhere: Set<String> = []
    for list in realm.objects(TodoList.self) {
      for item in list.items { elsewhere.insert(item._id) }
    }
    for item in items where !item.isInvalidated && !elsewhere.contains(item._id) { realm.delete(item) }
    realm.delete(list)
  }
}
