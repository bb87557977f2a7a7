import DataExchange
import DataModel
import GraphQL

/// The scalars of realms, with their text forms.
///
/// | scalar | property | form |
/// |---|---|---|
/// | `Long` | `int` | a number; arguments also as a text of digits, for clients whose numbers end at 2^53 |
/// | `Date` | `date` | ISO 8601 in UTC; arguments also as milliseconds since 1970 |
/// | `Data` | `data` | base64 |
/// | `ObjectId`, `UUID`, `Decimal` | the same | their texts |
/// | `Mixed` | `any` | JSON; other types as `{"$date": "…"}` |
enum RealmScalars {
  /// The scalar of a property type.
  static func name(_ type: PropertyType) -> String {
    switch type {
    case .int: "Long"
    case .bool: "Boolean"
    case .string: "String"
    case .data: "Data"
    case .date: "Date"
    case .float, .double: "Float"
    case .objectId: "ObjectId"
    case .decimal128: "Decimal"
    case .UUID: "UUID"
    case .any, .object, .linkingObjects: "Mixed"
    }
  }

  /// The types that are in every schema of a realm.
  static let definitions: [TypeDefinition] = [
    scalar("Long", "An integer of 64 bits. As an argument also a text of digits."),
    scalar(
      "Date",
      "A point in time as ISO 8601 text, such as \"2026-01-31T12:00:00Z\". As an argument also milliseconds since 1970."
    ),
    scalar("Data", "Bytes as base64 text."),
    scalar("ObjectId", "An object id as 24 hexadecimal digits."),
    scalar("Decimal", "A decimal number of 34 digits, as text."),
    scalar("UUID", "A UUID as text."),
    scalar("Mixed", "A value of any type. What JSON does not have is an object of one member: {\"$date\": \"…\"}."),
  ]

  private static func scalar(_ name: String, _ text: String) -> TypeDefinition {
    TypeDefinition(.scalar, Name(name), description: StringLiteral(text))
  }

  /// The rules of arguments; values of responses are written by columns.
  static let rules: [String: ScalarType] = [
    "Long": ScalarType(widened: ["Int"], input: { long($0).map { .int($0) } }),
    "Date": text(.date), "Data": text(.data), "ObjectId": text(.objectId), "Decimal": text(.decimal128),
    "UUID": text(.UUID), "Mixed": ScalarType(widened: ["Int", "Float", "String", "Boolean", "ID", "Long"]),
  ]

  private static func text(_ type: PropertyType) -> ScalarType {
    ScalarType(
      widened: type == .decimal128 ? ["String", "Int", "Float"] : ["String"],
      input: { given in RealmInput.scalar(given, type) == nil ? nil : given })
  }

  private static func long(_ value: GraphQLValue) -> Int64? {
    switch value {
    case .int(let value): value
    case .double(let value): Int64(exactly: value)
    case .string(let text): Int64(text)
    case .null, .bool, .enumeration, .list, .object: nil
    }
  }
}

/// Values of a realm from coerced arguments.
enum RealmInput {
  /// A scalar of a type; nil when the argument is none.
  static func scalar(_ given: GraphQLValue, _ type: PropertyType) -> Value? {
    switch (type, given) {
    case (.any, _): mixed(given)
    case (_, .null): .null
    case (.int, .int(let value)): .int(value)
    case (.bool, .bool(let value)): .bool(value)
    case (.float, _): given.double.map { .float(Float($0)) }
    case (.double, _): given.double.map { .double($0) }
    case (.date, .int(let milliseconds)):
      .timestamp(
        Timestamp(seconds: milliseconds / 1_000, nanoseconds: Int32(milliseconds % 1_000) * 1_000_000))
    case (.decimal128, .int(let value)): .decimal128(Decimal128(value))
    case (.decimal128, .double(let value)): .decimal128(Decimal128(value))
    case (.object, _), (.linkingObjects, _): nil
    case (_, .string(let text)), (_, .enumeration(let text)): ScalarText.value(text, type)
    case (_, .bool), (_, .int), (_, .double), (_, .list), (_, .object): nil
    }
  }

  /// A value of a type that the argument itself tells.
  static func mixed(_ given: GraphQLValue) -> Value? {
    switch given {
    case .null: return .null
    case .bool(let value): return .bool(value)
    case .int(let value): return .int(value)
    case .double(let value): return .double(value)
    case .string(let text), .enumeration(let text): return .string(text)
    case .list(let elements):
      let values = elements.compactMap(mixed)
      return values.count == elements.count ? .list(values) : nil
    case .object(let members):
      if members.count == 1, let tagged = tagged(members[0]) { return tagged }
      var entries: [String: Value] = [:]
      for member in members {
        guard let value = mixed(member.value) else { return nil }
        entries[member.name] = value
      }
      return .dictionary(entries)
    }
  }

  private static func tagged(_ member: GraphQLValue.Member) -> Value? {
    if member.name == "$link", let className = member.value["class"]?.string, let given = member.value["key"] {
      return mixed(given).flatMap { ObjectKey($0) }.map { .link(ObjectReference(className: className, key: $0)) }
    }
    if member.name == "$dictionary", case .object(let members) = member.value {
      var entries: [String: Value] = [:]
      for member in members {
        guard let value = mixed(member.value) else { return nil }
        entries[member.name] = value
      }
      return .dictionary(entries)
    }
    guard let type = JSONCodec.types[member.name] else { return nil }
    if let text = member.value.string { return ScalarText.value(text, type) }
    return scalar(member.value, type)
  }
}
