import ChangesetOT
import DataModel
import StorageEngine

extension RealmEditor {
  func set(_ fields: [String: StateDump.Item], _ row: RowKey, _ layout: ClassLayout) throws {
    for (name, item) in fields.sorted(by: { $0.key < $1.key }) {
      guard let field = layout.field(name) else {
        throw Refusal(.otherType, "\(layout.name) has no property '\(name)'")
      }
      do { try set(item, Cell(layout, row, field)) } catch let refusal as Refusal {
        throw Refusal(.otherType, "\(layout.name).\(name): \(refusal.reason)")
      }
    }
  }

  private func set(_ item: StateDump.Item, _ cell: Cell) throws {
    if cell.layout.keyField?.column == cell.field.column {
      guard try writer.readView.item(try writer.readView.value(cell)) == item else {
        throw Refusal(.otherType, "the primary key of an object never changes")
      }
      return
    }
    if try writer.readView.fieldItem(cell) == item { return }
    switch (cell.field.collection, item) {
    case (.single, .embedded(let fields)):
      let target = try embedded(cell.field)
      if case .link(_, let child) = try writer.readView.value(cell) {
        try set(fields, child, target)
      } else {
        try set(fields, try writer.createEmbedded(cell), target)
      }
    case (.single, .value(let value)): try writer.set(try stored(value, cell.field), cell)
    case (.list, .list(let items)):
      try setList(items, cell)
    case (.set, .set(let values)):
      try setMembers(values, cell)
    case (.dictionary, .dictionary(let entries)):
      try setEntries(entries, cell)
    default: throw Refusal(.otherType, "the value is no \(cell.field.collection) of \(cell.field.type)")
    }
  }

  func insert(_ item: StateDump.Item, at position: Int, _ cell: Cell) throws {
    switch item {
    case .embedded(let fields):
      let target = try embedded(cell.field)
      try set(fields, try writer.insertEmbedded(at: position, cell), target)
    case .value(let value): try writer.insert(try stored(value, cell.field), at: position, cell)
    default: throw Refusal(.otherType, "a list of \(cell.field.type) holds no collection")
    }
  }

  func setEntry(_ item: StateDump.Item, _ key: String, _ cell: Cell) throws {
    switch item {
    case .embedded(let fields):
      let target = try embedded(cell.field)
      try set(fields, try writer.createEmbedded(for: key, cell), target)
    case .value(let value): try writer.setEntry(try stored(value, cell.field), for: key, cell)
    default: throw Refusal(.otherType, "a dictionary of \(cell.field.type) holds no collection")
    }
  }

  /// The stored form of a value that must fit a field; links to objects that do not exist get a name to lead to.
  func stored(_ value: Value, _ field: FieldLayout) throws -> StoredValue {
    if field.target.flatMap({ writer.catalog[$0] })?.kind == .embedded, value != .null {
      throw Refusal(.otherType, "an embedded object lies in its parent and is not linked to")
    }
    switch value {
    case .list, .dictionary:
      guard field.type == .any, field.collection != .set else {
        throw Refusal(.otherType, "only a mixed value can be a collection")
      }
      return try nested(value)
    default:
      guard let payload = Payload(value) else { throw Refusal(.otherType, "the value cannot be stored") }
      return try ChangesetApplier(writer: writer).stored(payload, fitting: ValueType(field)) ?? .null
    }
  }

  private func nested(_ value: Value) throws -> StoredValue {
    switch value {
    case .list(let elements): return .list(try elements.map(nested))
    case .dictionary(let entries): return .dictionary(try entries.mapValues(nested))
    default:
      guard let payload = Payload(value) else { throw Refusal(.otherType, "the value cannot be stored") }
      return try ChangesetApplier(writer: writer).stored(payload, fitting: .mixed) ?? .null
    }
  }

  func embedded(_ field: FieldLayout) throws -> ClassLayout {
    guard let layout = writer.catalog[field.target ?? ""], layout.kind == .embedded else {
      throw Refusal(.otherType, "the property holds no embedded objects")
    }
    return layout
  }
}
