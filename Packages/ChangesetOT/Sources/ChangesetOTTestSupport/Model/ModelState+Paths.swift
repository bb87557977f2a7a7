import ChangesetOT
import DataModel

extension ModelState {
  typealias Change = (inout ModelValue, ModelColumn) throws(Refusal) -> Void

  /// Changes the collection or embedded object that holds the target.
  mutating func edit(_ target: Target, _ change: Change) throws(Refusal) {
    try edit(target.object, target.field, target.path.dropLast(), change)
  }

  /// Changes the value at the end of the path.
  mutating func edit(
    _ object: ObjectReference, _ field: String, _ path: ArraySlice<PathElement>, _ change: Change
  ) throws(Refusal) {
    guard let table = classes[object.className] else { throw Refusal("no such class") }
    guard table.kind == .topLevel || table.kind == .asymmetric else { throw Refusal("an embedded class") }
    guard let column = table.columns[field] else { throw Refusal("no such field") }
    guard var value = objects[object.className]?[object.key]?[field] else { throw Refusal("no such object") }
    try types.descend(&value, column, path, change)
    objects[object.className]?[object.key]?[field] = value
  }

  var types: ModelTypes { ModelTypes(classes: classes) }
}

/// The classes of a state, and the values that they allow.
struct ModelTypes {
  let classes: [String: ModelClass]

  func initialFields(of table: String) -> [String: ModelValue] {
    (classes[table]?.columns ?? [:]).mapValues { $0.initialValue() }
  }

  func descend(
    _ value: inout ModelValue, _ column: ModelColumn, _ path: ArraySlice<PathElement>, _ change: ModelState.Change
  ) throws(Refusal) {
    guard let element = path.first else { return try change(&value, column) }
    let rest = path.dropFirst()
    switch (value, element) {
    case (.list(var items), .index(let index)):
      guard Int(index) < items.count else { throw Refusal("path leads out of a list") }
      try descend(&items[Int(index)], column.inner(of: value), rest, change)
      value = .list(items)
    case (.dictionary(var entries), .name(let name)):
      guard var entry = entries[name] else { throw Refusal("path leads to a missing key") }
      try descend(&entry, column.inner(of: value), rest, change)
      entries[name] = entry
      value = .dictionary(entries)
    case (.object(var fields), .name(let name)):
      guard let inner = classes[column.linkTarget ?? ""]?.columns[name], var field = fields[name] else {
        throw Refusal("path leads to a missing field")
      }
      try descend(&field, inner, rest, change)
      fields[name] = field
      value = .object(fields)
    default:
      throw Refusal("path runs through something else")
    }
  }

  /// The value after an update.
  func fieldValue(_ payload: Payload, _ column: ModelColumn, old: ModelValue) throws(Refusal) -> ModelValue {
    guard column.collection == .single else { throw Refusal("a collection cannot be written as a whole") }
    switch payload {
    case .objectValue:
      if case .object = old { return old }
      return try newElement(payload, column)
    case .list:
      if case .list = old { return old }
      return try newElement(payload, column)
    case .dictionary:
      if case .dictionary = old { return old }
      return try newElement(payload, column)
    default:
      return try newElement(payload, column)
    }
  }

  /// A new value for a payload.
  func newElement(_ payload: Payload, _ column: ModelColumn) throws(Refusal) -> ModelValue {
    switch payload {
    case .objectValue:
      guard let target = column.linkTarget, classes[target]?.kind == .embedded else { throw Refusal("not embedded") }
      return .object(initialFields(of: target))
    case .list, .dictionary:
      guard column.type == nil else { throw Refusal("not mixed") }
      return payload == .list ? .list([]) : .dictionary([:])
    case .erased, .set:
      throw Refusal("not a value")
    default:
      try require(payload, fits: column)
      return .scalar(payload)
    }
  }

  func require(_ payload: Payload, fits column: ModelColumn) throws(Refusal) {
    if payload == .null {
      guard column.isNullable || column.type == nil || column.type == .link else { throw Refusal("null not allowed") }
      return
    }
    guard let type = column.type else { return try requireClass(payload) }
    guard payload.type == type else { throw Refusal("type does not match") }
    if case .link(let reference) = payload, let target = column.linkTarget, !target.isEmpty {
      guard reference.className == target, classes[target]?.kind != .embedded else { throw Refusal("wrong class") }
    }
    try requireClass(payload)
  }

  private func requireClass(_ payload: Payload) throws(Refusal) {
    if case .link(let reference) = payload, classes[reference.className] == nil { throw Refusal("no such class") }
  }
}

extension ModelColumn {
  /// The declaration of an element of the collection in a value of this type.
  func inner(of value: ModelValue) -> ModelColumn { collection == .single ? .mixed : element }
}
