/// One list: a name, a place among the lists, and items in order.
public struct ItemList: Equatable, Sendable {
  /// Identifies the list on every device.
  public let key: String
  /// The name, unique among lists that were made on one device.
  public var name: String
  /// Lists are shown by ascending order, then by name.
  public var order: Double
  /// The items, in order.
  public var items: [Item]

  /// A list.
  public init(key: String, name: String, order: Double = 0, items: [Item] = []) {
    self.key = key
    self.name = name
    self.order = order
    self.items = items
  }

  /// The number of open items.
  public var openCount: Int { items.reduce(0) { $0 + ($1.isDone ? 0 : 1) } }
}

/// Everything that a store holds, at one moment: the lists with their items.
public struct Board: Equatable, Sendable {
  /// The lists, in the order in which they are shown.
  public private(set) var lists: [ItemList]

  /// A board; sorts the lists.
  public init(lists: [ItemList] = []) {
    self.lists = lists.sorted { left, right in
      (left.order, left.name, left.key) < (right.order, right.name, right.key)
    }
  }

  /// The list with a key.
  public func list(_ key: String) -> ItemList? { lists.first { $0.key == key } }

  /// The first list with a name, whatever the case of its letters.
  public func list(named name: String) -> ItemList? {
    lists.first { $0.name == name } ?? lists.first { $0.name.lowercased() == name.lowercased() }
  }

  /// The list and position of an item; nil if there is none with that key.
  public func location(of key: String) -> (list: ItemList, index: Int)? {
    for list in lists {
      if let index = list.items.firstIndex(where: { $0.key == key }) { return (list, index) }
    }
    return nil
  }

  /// The item with a key.
  public func item(_ key: String) -> Item? { location(of: key).map { $0.list.items[$0.index] } }
}
