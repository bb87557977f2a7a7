import DataModel

extension Instruction: CustomStringConvertible {
  /// One line for people: the operation, its target and its value.
  public var description: String {
    switch self {
    case .addTable(let it):
      "addTable \(it.table) \(it.kind.word)"
        + (it.primaryKey.map { " key \($0.field.isEmpty ? "-" : $0.field): \($0.type)\($0.isNullable ? "?" : "")" }
          ?? "")
    case .eraseTable(let it): "eraseTable \(it.table)"
    case .createObject(let it): "create \(it.object)"
    case .eraseObject(let it): "erase \(it.object)"
    case .update(let it):
      "update \(it.target) = \(it.payload)"
        + (it.isDefault ? " default" : "") + (it.priorSize.map { " of \($0)" } ?? "")
    case .addInteger(let it): "add \(it.target) += \(it.amount)"
    case .addColumn(let it):
      "addColumn \(it.table).\(it.field): \(it.collection.wrapping(it.typeWord + (it.isNullable ? "?" : "")))"
    case .eraseColumn(let it): "eraseColumn \(it.table).\(it.field)"
    case .arrayInsert(let it): "insert \(it.target) = \(it.payload) of \(it.priorSize)"
    case .arrayMove(let it): "move \(it.target) to \(it.destination) of \(it.priorSize)"
    case .arrayErase(let it): "remove \(it.target) of \(it.priorSize)"
    case .clear(let it): "clear \(it.target) as \(it.collection)"
    case .setInsert(let it): "setInsert \(it.target) \(it.payload)"
    case .setErase(let it): "setErase \(it.target) \(it.payload)"
    }
  }
}

extension Changeset: CustomStringConvertible {
  /// One line per instruction.
  public var description: String { instructions.map(\.description).joined(separator: "\n") }
}

extension Payload: CustomStringConvertible {
  /// The value for people; binary data as its size.
  public var description: String {
    switch self {
    case .null: "null"
    case .int(let value): "\(value)"
    case .bool(let value): "\(value)"
    case .string(let value): value.debugDescription
    case .data(let value): "data(\(value.count) bytes)"
    case .timestamp(let value): "timestamp(\(value.seconds), \(value.nanoseconds))"
    case .float(let bits): "\(Float(bitPattern: bits))"
    case .double(let bits): "\(Double(bitPattern: bits))"
    case .decimal128(let value):
      value.isFinite ? "\(value.isNegative ? "-" : "")\(value.coefficient)e\(value.exponent)" : "decimal(not finite)"
    case .link(let value): "-> \(value)"
    case .objectId(let value): "oid(\(value))"
    case .uuid(let value): "uuid(\(value.uuidString.lowercased()))"
    case .objectValue: "new object"
    case .dictionary: "new dictionary"
    case .erased: "erased"
    case .list: "new list"
    case .set: "new set"
    }
  }
}

extension ObjectKind {
  var word: String {
    switch self {
    case .topLevel: "topLevel"
    case .embedded: "embedded"
    case .asymmetric: "asymmetric"
    }
  }
}

extension AddColumn {
  var typeWord: String {
    guard let type else { return "mixed" }
    return type == .link ? "link<\(linkTarget ?? "")>" : "\(type)"
  }
}

extension CollectionKind {
  func wrapping(_ element: String) -> String {
    self == .single ? element : "\(self)<\(element)>"
  }
}
