import ByteCoding
import ChangesetOT
import DataModel

extension VectorParser {
  /// The instructions of a list of ops. Columns that the ops add become known for the types of later values.
  mutating func instructions(_ ops: [JSONValue]) throws(VectorFormatError) -> [Instruction] {
    var result: [Instruction] = []
    for op in ops { result.append(try instruction(op)) }
    return result
  }

  private mutating func instruction(_ op: JSONValue) throws(VectorFormatError) -> Instruction {
    let table = op["table"]?.string ?? ""
    let field = op["field"]?.string ?? ""
    switch op["op"]?.string {
    case "add_table":
      let kind: ObjectKind =
        switch op["kind"]?.string {
        case "embedded": .embedded
        case "asymmetric": .asymmetric
        default: .topLevel
        }
      let key =
        kind == .embedded
        ? nil
        : PrimaryKeyColumn(
          field: op["pk_field"]?.string ?? "_id", type: try keyType(op["pk_type"]?.string ?? "int"),
          isNullable: op["pk_nullable"]?.bool ?? false)
      if classes[table] == nil { classes[table] = ModelClass(kind: kind, key: key) }
      return .addTable(AddTable(table: table, kind: kind, primaryKey: key))
    case "erase_table": return .eraseTable(EraseTable(table: table))
    case "add_column":
      let collection: CollectionKind =
        switch op["collection"]?.string {
        case "list": .list
        case "set": .set
        case "dictionary", "dict": .dictionary
        default: .single
        }
      let column = ModelColumn(
        try scalarType(op["type"]?.string ?? ""), isNullable: op["nullable"]?.bool ?? false, collection: collection,
        linkTarget: op["target"]?.string)
      if classes[table]?.columns[field] == nil { classes[table]?.columns[field] = column }
      return .addColumn(
        AddColumn(
          table: table, field: field, type: column.type, isNullable: column.isNullable, collection: collection,
          linkTarget: column.linkTarget))
    case "erase_column": return .eraseColumn(EraseColumn(table: table, field: field))
    default: break
    }
    guard let pk = op["pk"] else { throw VectorFormatError("op \(op)") }
    let object = ObjectReference(className: table, key: try key(pk))
    switch op["op"]?.string {
    case "create": return .createObject(CreateObject(object: object))
    case "erase": return .eraseObject(EraseObject(object: object))
    default: break
    }
    let target = try target(object, op["path"]?.elements ?? [])
    let payload = try payload(op["value"] ?? .null, column(at: target))
    let prior = UInt32(truncatingIfNeeded: op["prior"]?.integer ?? 0)
    switch op["op"]?.string {
    case "set":
      return .update(
        Update(
          target: target, payload: payload, isDefault: op["default"]?.bool ?? false,
          priorSize: op["prior"] == nil ? nil : prior))
    case "add": return .addInteger(AddInteger(target: target, amount: op["value"]?.integer ?? 0))
    case "insert": return .arrayInsert(ArrayInsert(target: target, payload: payload, priorSize: prior))
    case "move":
      let destination = UInt32(truncatingIfNeeded: op["to"]?.integer ?? 0)
      return .arrayMove(ArrayMove(target: target, destination: destination, priorSize: prior))
    case "remove": return .arrayErase(ArrayErase(target: target, priorSize: prior))
    case "clear":
      let kind: CollectionKind =
        switch op["kind"]?.string {
        case "list": .list
        case "dictionary", "dict": .dictionary
        case "set": .set
        default: .single
        }
      return .clear(Clear(target: target, collection: kind))
    case "set_insert": return .setInsert(SetInsert(target: target, payload: payload))
    case "set_erase": return .setErase(SetErase(target: target, payload: payload))
    default: throw VectorFormatError("op \(op)")
    }
  }

  private func target(_ object: ObjectReference, _ path: [JSONValue]) throws(VectorFormatError) -> Target {
    guard let field = path.first?.string else { throw VectorFormatError("a path without a field") }
    var elements: [PathElement] = []
    for step in path.dropFirst() {
      if let name = step.string {
        elements.append(.name(name))
      } else if let index = step.integer.flatMap(UInt32.init(exactly:)) {
        elements.append(.index(index))
      } else {
        throw VectorFormatError("path element \(step)")
      }
    }
    return Target(object: object, field: field, path: elements)
  }

  /// The declaration of the value that a target names; nil for unknown classes and fields.
  private func column(at target: Target) -> ModelColumn? {
    guard var column = classes[target.object.className]?.columns[target.field] else { return nil }
    for step in target.path {
      if column.collection != .single {
        column = column.element
      } else if column.type == nil {
        column = .mixed
      } else if case .name(let name) = step, let inner = classes[column.linkTarget ?? ""]?.columns[name] {
        column = inner
      }
    }
    return column.collection == .set ? column.element : column
  }
}
