import DataModel

extension StateDump.Item {
  /// The value with other keys for the objects that it links to.
  func renamingObjects(_ newKey: (ObjectReference) -> ObjectKey) -> StateDump.Item {
    switch self {
    case .value(let value): .value(value.renamingObjects(newKey))
    case .embedded(let fields): .embedded(fields.mapValues { $0.renamingObjects(newKey) })
    case .list(let items): .list(items.map { $0.renamingObjects(newKey) })
    case .dictionary(let entries): .dictionary(entries.mapValues { $0.renamingObjects(newKey) })
    case .set(let values): .set(Set(values.map { $0.renamingObjects(newKey) }))
    }
  }
}

extension Value {
  /// The value with other keys for the objects that it links to.
  func renamingObjects(_ newKey: (ObjectReference) -> ObjectKey) -> Value {
    switch self {
    case .link(let object): .link(ObjectReference(className: object.className, key: newKey(object)))
    case .list(let elements): .list(elements.map { $0.renamingObjects(newKey) })
    case .dictionary(let entries): .dictionary(entries.mapValues { $0.renamingObjects(newKey) })
    default: self
    }
  }
}
