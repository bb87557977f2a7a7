import ByteCoding
public import GraphQL

/// An object whose fields have values that only depend on its number, the field and the arguments, so that another
/// implementation can compute the same: some fail, some are null although they may not.
public struct InventedObject: GraphQLObject {
  private let schema: GraphQLSchema
  /// The name of the object type.
  public let typeName: String
  private let number: UInt64

  /// An object.
  public init(schema: GraphQLSchema, typeName: String, number: UInt64) {
    self.schema = schema
    self.typeName = typeName
    self.number = number
  }

  /// The invented value of a field.
  public func resolve(_ field: FieldCall) throws -> ResolvedValue {
    let text = "\(typeName).\(field.name)|\(number)|\(Self.canonical(.object(field.arguments.map { .init($0, $1) })))"
    return try value(field.definition.type, Self.hash(text))
  }

  private func value(_ type: TypeReference, _ seed: UInt64) throws -> ResolvedValue {
    if seed % 23 == 0 { throw GraphQLError("invented failure \(seed % 1000)") }
    if seed % (type.isNonNull ? 29 : 9) == 0 { return .null }
    if let element = type.element {
      return .list(
        (0..<(seed % 4)).map { index in
          do { return try value(element, Self.hash("\(seed)/\(index)")) } catch { return .failure(error) }
        })
    }
    let name = type.name.text
    guard let definition = schema.type(named: name) else { return .null }
    switch definition.kind {
    case .enumeration: return .string(definition.values[Int(seed % UInt64(definition.values.count))].name.text)
    case .object: return .object(InventedObject(schema: schema, typeName: name, number: seed % 100_000))
    case .interface, .union:
      let possible = schema.possibleTypes(of: name).sorted()
      guard !possible.isEmpty else { return .null }
      let type = possible[Int(seed % UInt64(possible.count))]
      return .object(InventedObject(schema: schema, typeName: type, number: seed % 100_000))
    case .scalar, .inputObject:
      switch name {
      case "Int": return .int(Int64(seed % 1000) - 500)
      case "Float": return .double(Double(seed % 1000) / 4)
      case "Boolean": return .bool(seed % 2 == 0)
      default: return .string("s\(seed % 1000)")
      }
    }
  }

  /// FNV-1a over the UTF-8 bytes, 32 bits.
  static func hash(_ text: String) -> UInt64 {
    UInt64(text.utf8.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 })
  }

  /// A text of a coerced value that does not depend on the order of fields, nor on how numbers are written.
  static func canonical(_ value: GraphQLValue) -> String {
    switch value {
    case .null: "null"
    case .bool(let bool): bool ? "true" : "false"
    case .int(let int): "\(int)"
    case .double(let double): double == double.rounded() ? "\(Int64(double))" : "\(double)"
    case .string(let text), .enumeration(let text): "'\(text)'"
    case .list(let values): "[" + values.map(canonical).joined(separator: ",") + "]"
    case .object(let members):
      "{" + members.sorted { $0.name < $1.name }.map { "\($0.name):\(canonical($0.value))" }.joined(separator: ",")
        + "}"
    }
  }
}
