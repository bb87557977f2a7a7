import TodoCore

/// A copy of the lists and items of a realm, element by element, in the order of its results.
struct ListsCopy {
  /// A list as it is stored: the same item may stand in it twice, and in another list.
  struct StoredList {
    var key: String
    var name: String
    var order: Double
    /// The keys of the items, in their order.
    var items: [String]

    init(_ list: TodoList) {
      (key, name, order) = (list._id, list.name, list.order)
      items = list.items.map(\._id)
    }
  }

  var items: [Item] = []
  var lists: [StoredList] = []

  /// The lists as they are shown. While apart, two people may have put one item into two lists, or twice into one: it
  /// is shown once, where it comes first.
  ///
  /// - Complexity: O(*n*) in the number of items.
  var board: Board {
    let byKey = Dictionary(items.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
    var seen: Set<String> = []
    // In one order on every device, so that all of them show a doubled item in the same place.
    let stored = lists.sorted { ($0.order, $0.name, $0.key) < ($1.order, $1.name, $1.key) }
    return Board(
      lists: stored.map { list in
        let items = list.items.compactMap { seen.insert($0).inserted ? byKey[$0] : nil }
        return ItemList(key: list.key, name: list.name, order: list.order, items: items)
      })
  }
}
