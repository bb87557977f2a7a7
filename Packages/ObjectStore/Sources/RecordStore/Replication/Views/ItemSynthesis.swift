import ChangesetOT
import DataModel
import StorageEngine

/// Writes the instructions that make an object of a class with given fields, where it is not.
struct ItemSynthesis {
  let catalog: Catalog

  /// Writes the creation and everything that a new object does not hold anyway.
  ///
  /// - Complexity: O(*n*) in the size of the fields.
  func write(_ object: ObjectReference, _ fields: [String: StateDump.Item], _ piece: inout ChangesetWriter) {
    guard let layout = catalog[object.className] else { return }
    piece.createObject(piece.intern(object.className), object.key)
    for field in layout.fields where field.column != layout.keyField?.column {
      guard let item = fields[field.name], !isInitial(item, in: field) else { continue }
      let target = Target(object: object, field: field.name)
      write(item, field, target, &piece)
    }
  }

  private func isInitial(_ item: StateDump.Item, in field: FieldLayout) -> Bool {
    guard case .value(let value) = item, let stored = StoredValue(value) else { return false }
    return stored.isInitial(in: field)
  }

  /// Writes what a field holds, or a place in it.
  private func write(_ item: StateDump.Item, _ field: FieldLayout, _ target: Target, _ piece: inout ChangesetWriter) {
    switch item {
    case .value(let value): write(value, target, &piece)
    case .embedded(let fields):
      put(.objectValue, target, &piece)
      guard let layout = catalog[field.target ?? ""] else { return }
      for inner in layout.fields {
        guard let item = fields[inner.name], !isInitial(item, in: inner) else { continue }
        write(item, inner, target.inside(.name(inner.name)), &piece)
      }
    case .list(let items):
      for (position, item) in items.enumerated() {
        write(item, field, target.inside(.index(UInt32(position))), &piece)
      }
    case .dictionary(let entries):
      for (name, item) in entries.sorted(by: { $0.key < $1.key }) {
        write(item, field, target.inside(.name(name)), &piece)
      }
    case .set(let values):
      for value in values.sorted(by: { "\($0)" < "\($1)" }) {
        guard let payload = Payload(value) else { continue }
        piece.append(.setInsert(SetInsert(target: target, payload: payload)))
      }
    }
  }

  private func write(_ value: Value, _ target: Target, _ piece: inout ChangesetWriter) {
    switch value {
    case .list(let elements):
      put(.list, target, &piece)
      for (position, element) in elements.enumerated() {
        write(element, target.inside(.index(UInt32(position))), &piece)
      }
    case .dictionary(let entries):
      put(.dictionary, target, &piece)
      for (name, entry) in entries.sorted(by: { $0.key < $1.key }) {
        write(entry, target.inside(.name(name)), &piece)
      }
    default: if let payload = Payload(value) { put(payload, target, &piece) }
    }
  }

  private func put(_ payload: Payload, _ target: Target, _ piece: inout ChangesetWriter) {
    if case .index(let position)? = target.path.last {
      piece.append(.arrayInsert(ArrayInsert(target: target, payload: payload, priorSize: position)))
    } else {
      piece.append(.update(Update(target: target, payload: payload)))
    }
  }
}

extension Target {
  /// The place one step further.
  func inside(_ step: PathElement) -> Target {
    var target = self
    target.path.append(step)
    return target
  }
}
