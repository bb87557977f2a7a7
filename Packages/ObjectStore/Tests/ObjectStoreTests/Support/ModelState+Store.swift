import ChangesetOT
import ChangesetOTTestSupport
import DataModel

@testable import ObjectStore
@testable import RecordStore

extension ModelState {
  /// The dump of a file with this state.
  var dump: StateDump {
    var dump = StateDump()
    for (name, rows) in objects {
      guard let layout = classes[name], layout.kind != .embedded else { continue }
      dump.objects[name] = [:]
      for (key, fields) in rows {
        var items = fields.mapValues { StateDump.Item($0) }
        for (field, column) in layout.columns where column.collection == .single && column.type == nil {
          if let value = fields[field] { items[field] = .value(Value(model: value)) }
        }
        if let keyField = layout.key?.field, !keyField.isEmpty { items[keyField] = .value(key.value ?? .null) }
        dump.objects[name]?[key] = items
      }
    }
    return dump
  }

  /// Instructions that lead from nothing to this state.
  var instructions: [Instruction] {
    var result: [Instruction] = []
    for (name, layout) in classes.sorted(by: { $0.key < $1.key }) {
      result.append(.addTable(AddTable(table: name, kind: layout.kind, primaryKey: layout.key)))
    }
    for (name, layout) in classes.sorted(by: { $0.key < $1.key }) {
      for (field, column) in layout.columns.sorted(by: { $0.key < $1.key }) {
        result.append(
          .addColumn(
            AddColumn(
              table: name, field: field, type: column.type, isNullable: column.isNullable,
              collection: column.collection, linkTarget: column.linkTarget)))
      }
    }
    for (name, rows) in objects.sorted(by: { $0.key < $1.key }) {
      for key in rows.keys {
        result.append(.createObject(CreateObject(object: ObjectReference(className: name, key: key))))
      }
    }
    for (name, rows) in objects.sorted(by: { $0.key < $1.key }) {
      for (key, fields) in rows {
        let object = ObjectReference(className: name, key: key)
        for (field, value) in fields {
          result += fill(Target(object: object, field: field), value, in: .field, classes[name]?.columns[field])
        }
      }
    }
    return result
  }

  private enum Slot { case field, element(UInt32), entry }

  /// - Parameter column: what the place is declared as; nil for a place in a mixed value.
  private func fill(_ target: Target, _ value: ModelValue, in slot: Slot, _ column: ModelColumn?) -> [Instruction] {
    func put(_ payload: Payload) -> Instruction {
      if case .element(let size) = slot {
        return .arrayInsert(ArrayInsert(target: target, payload: payload, priorSize: size))
      }
      return .update(Update(target: target, payload: payload))
    }
    func below(_ step: PathElement) -> Target {
      var inner = target
      inner.path.append(step)
      return inner
    }
    let isTyped = column.map { $0.collection != .single } ?? false
    let element = isTyped ? column?.element : nil
    switch value {
    case .scalar(let payload): return payload == .null && !Self.isElement(slot) ? [] : [put(payload)]
    case .object(let fields):
      let inner = classes[column?.linkTarget ?? ""]?.columns ?? [:]
      return [put(.objectValue)] + fields.flatMap { fill(below(.name($0)), $1, in: .field, inner[$0]) }
    case .list(let items):
      return (isTyped ? [] : [put(.list)])
        + items.enumerated().flatMap { fill(below(.index(UInt32($0))), $1, in: .element(UInt32($0)), element) }
    case .dictionary(let entries):
      return (isTyped ? [] : [put(.dictionary)])
        + entries.flatMap { fill(below(.name($0)), $1, in: .entry, element) }
    case .set(let values): return values.map { .setInsert(SetInsert(target: target, payload: $0)) }
    }
  }

  private static func isElement(_ slot: Slot) -> Bool {
    if case .element = slot { return true }
    return false
  }
}

extension StateDump.Item {
  init(_ model: ModelValue) {
    switch model {
    case .scalar: self = .value(Value(model: model))
    case .object(let fields): self = .embedded(fields.mapValues { StateDump.Item($0) })
    case .list(let items):
      self = .list(
        items.map {
          switch $0 {
          case .list, .dictionary: .value(Value(model: $0))
          default: StateDump.Item($0)
          }
        })
    case .dictionary(let entries):
      self = .dictionary(
        entries.mapValues {
          switch $0 {
          case .list, .dictionary: .value(Value(model: $0))
          default: StateDump.Item($0)
          }
        })
    case .set(let values): self = .set(Set(values.map { $0.value ?? .null }))
    }
  }
}

extension Value {
  /// The value of a mixed place.
  init(model: ModelValue) {
    switch model {
    case .scalar(let payload): self = payload.value ?? .null
    case .list(let items): self = .list(items.map { Value(model: $0) })
    case .dictionary(let entries): self = .dictionary(entries.mapValues { Value(model: $0) })
    case .object, .set: self = .null
    }
  }
}
