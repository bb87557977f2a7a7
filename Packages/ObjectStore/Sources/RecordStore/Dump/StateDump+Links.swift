public import DataModel

extension StateDump.Item {
  /// Every link in the item, those of embedded objects and of collections included.
  ///
  /// - Complexity: O(*n*) in the values of the item.
  public var links: [ObjectReference] {
    switch self {
    case .value(let value): value.links
    case .embedded(let fields): fields.values.flatMap(\.links)
    case .list(let items): items.flatMap(\.links)
    case .dictionary(let entries): entries.values.flatMap(\.links)
    case .set(let values): values.flatMap(\.links)
    }
  }
}

extension Value {
  fileprivate var links: [ObjectReference] {
    switch self {
    case .link(let object): [object]
    case .list(let values): values.flatMap(\.links)
    case .dictionary(let entries): entries.values.flatMap(\.links)
    default: []
    }
  }
}
