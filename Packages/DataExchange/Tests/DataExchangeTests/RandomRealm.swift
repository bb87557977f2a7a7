import DataModel
import Foundation
import RecordStore
import TestKit

/// Realms with every type of property, filled at random.
struct RandomRealm {
  var random: SeededGenerator

  static let types: [PropertyType] = [
    .int, .bool, .string, .data, .date, .float, .double, .objectId, .decimal128, .UUID, .any,
  ]

  static func schema() -> Schema {
    func properties(_ types: [PropertyType]) -> [Property] {
      var result: [Property] = []
      for type in types {
        let name = "\(type)"
        result.append(Property(name: name, type: type, isOptional: type == .any, isIndexed: type == .string))
        if type != .any { result.append(Property(name: name + "Maybe", type: type, isOptional: true)) }
        for kind in [CollectionKind.list, .set, .dictionary] {
          result.append(Property(name: "\(name) \(kind)", type: type, collection: kind, isOptional: true))
        }
      }
      return result
    }
    let links = [
      Property(name: "other", type: .object, objectClassName: "Keyed", isOptional: true),
      Property(name: "named", type: .object, objectClassName: "Named", isOptional: true),
      Property(name: "loose", type: .object, objectClassName: "Loose", isOptional: true),
      Property(name: "others", type: .object, collection: .list, objectClassName: "Keyed"),
      Property(name: "namedSet", type: .object, collection: .set, objectClassName: "Named"),
      Property(name: "looseMap", type: .object, collection: .dictionary, objectClassName: "Loose", isOptional: true),
      Property(name: "part", type: .object, objectClassName: "Part", isOptional: true),
      Property(name: "parts", type: .object, collection: .list, objectClassName: "Part"),
      Property(name: "partMap", type: .object, collection: .dictionary, objectClassName: "Part", isOptional: true),
    ]
    return Schema([
      ObjectSchema(
        className: "Keyed", primaryKey: "id",
        properties: [Property(name: "id", type: .int, isIndexed: true)] + properties(types) + links),
      ObjectSchema(
        className: "Named", primaryKey: "name",
        properties: [Property(name: "name", type: .string, isOptional: true, isIndexed: true)] + links),
      // Names that SQLite would take for each other, and one that is no name of a file.
      ObjectSchema(
        className: "named", primaryKey: "key", properties: [Property(name: "key", type: .UUID, isIndexed: true)]),
      ObjectSchema(
        className: "../a\"b", primaryKey: "key", properties: [Property(name: "key", type: .objectId, isIndexed: true)]),
      ObjectSchema(className: "Loose", properties: [Property(name: "note", type: .string), links[0], links[2]]),
      ObjectSchema(
        className: "Part", kind: .embedded,
        properties: [
          Property(name: "size", type: .double), Property(name: "tags", type: .string, collection: .list),
          Property(name: "other", type: .object, objectClassName: "Keyed", isOptional: true),
          Property(name: "inner", type: .object, objectClassName: "Crumb", isOptional: true),
        ]),
      ObjectSchema(
        className: "Crumb", kind: .embedded, properties: [Property(name: "any", type: .any, isOptional: true)]),
    ])
  }

  /// Fills a file: objects, then their fields; a few links lead to objects that do not exist.
  mutating func fill(_ file: RealmFile, objects count: Int = 12) throws {
    let schema = Self.schema()
    try file.edit { editor in
      try editor.addClasses(schema, version: 3)
      var references: [ObjectReference] = []
      for number in 0..<count {
        for object in schema.objectSchema where object.kind != .embedded {
          let key = try self.key(object, number, editor)
          let reference = ObjectReference(className: object.className, key: key)
          if try editor.create(reference) { references.append(reference) }
        }
      }
      for reference in references {
        guard let object = schema[reference.className] else { continue }
        try editor.set(fields(object, schema, count), of: reference)
      }
    }
  }

  private mutating func key(_ object: ObjectSchema, _ number: Int, _ editor: RealmEditor) throws -> ObjectKey {
    switch object.primaryKeyProperty?.type {
    case .int: return .int(number == 0 ? .min : Int64(number))
    case .string:
      return number == 0
        ? .null : number == 1 ? .string("") : .string(["{\"a\"", "n,\n\"", "ü "][number % 3] + "\(number)")
    case .UUID: return .uuid(uuid())
    case .objectId: return .objectId(objectId())
    default:
      return number % 2 == 0
        ? .global(GlobalKey(high: 7, low: UInt64(number))) : try editor.makeKey(for: object.className)
    }
  }

  private mutating func fields(_ object: ObjectSchema, _ schema: Schema, _ count: Int) -> [String: StateDump.Item] {
    var fields: [String: StateDump.Item] = [:]
    for property in object.properties where property.name != object.primaryKey {
      fields[property.name] = item(property, schema, count)
    }
    return fields
  }

  private mutating func item(_ property: Property, _ schema: Schema, _ count: Int) -> StateDump.Item {
    let size = Int.random(in: 0..<4, using: &random)
    switch property.collection {
    case .single: return element(property, schema, count, isSlot: true)
    case .list: return .list((0..<size).map { _ in element(property, schema, count, isSlot: false) })
    case .set:
      var values: Set<Value> = []
      for _ in 0..<size {
        if case .value(let value) = element(property, schema, count, isSlot: false, isNested: true) {
          values.insert(value)
        }
      }
      return .set(values)
    case .dictionary:
      var entries: [String: StateDump.Item] = [:]
      for _ in 0..<size { entries[string()] = element(property, schema, count, isSlot: true) }
      return .dictionary(entries)
    }
  }

  private mutating func element(
    _ property: Property, _ schema: Schema, _ count: Int, isSlot: Bool, isNested: Bool = false
  ) -> StateDump.Item {
    let mayBeNull = property.type == .object ? isSlot : property.isOptional
    if mayBeNull, Int.random(in: 0..<5, using: &random) == 0 { return .value(.null) }
    guard property.type == .object else { return .value(value(property.type, count, isNested: isNested)) }
    let target = property.objectClassName ?? ""
    if let part = schema[target], part.kind == .embedded { return .embedded(fields(part, schema, count)) }
    return .value(.link(reference(target, count)))
  }

  /// Mostly an object that exists.
  private mutating func reference(_ className: String, _ count: Int) -> ObjectReference {
    let number = Int.random(in: 0..<count + 2, using: &random)
    let key: ObjectKey =
      switch className {
      case "Keyed": .int(Int64(number))
      case "Named": number == 1 ? .null : .string(number == 0 ? "" : "ü \(number)")
      default: .global(GlobalKey(high: 7, low: UInt64(number)))
      }
    return ObjectReference(className: className, key: key)
  }

  private mutating func value(_ type: PropertyType, _ count: Int, isNested: Bool) -> Value {
    switch type {
    case .int:
      return .int([0, .min, .max, Int64.random(in: -9...9, using: &random)].randomElement(using: &random) ?? 0)
    case .bool: return .bool(Bool.random(using: &random))
    case .string: return .string(string())
    case .data:
      return .data((0..<Int.random(in: 0..<20, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) })
    case .date: return .timestamp(timestamp())
    case .float: return .float(Float([0, -0.0, .infinity, 1e30, double()].randomElement(using: &random) ?? 0))
    case .double: return .double(double())
    case .objectId: return .objectId(objectId())
    case .decimal128:
      return .decimal128(
        Decimal128(
          high: UInt64.random(in: 0...UInt64.max, using: &random), low: UInt64.random(in: 0...9, using: &random)))
    case .UUID: return .uuid(uuid())
    case .object, .linkingObjects, .any: return mixed(count, depth: isNested ? 3 : 0)
    }
  }

  private mutating func mixed(_ count: Int, depth: Int) -> Value {
    switch Int.random(in: 0..<(depth < 3 ? 15 : 12), using: &random) {
    case 0: return .null
    case 1: return .link(reference("Loose", count))
    case 12, 13: return .list((0..<Int.random(in: 0..<4, using: &random)).map { _ in mixed(count, depth: depth + 1) })
    case 14:
      var entries: [String: Value] = [:]
      for _ in 0..<2 {
        entries[["$key", "$link", string()].randomElement(using: &random) ?? ""] = mixed(count, depth: depth + 1)
      }
      return .dictionary(entries)
    default: return value(Self.types.dropLast().randomElement(using: &random) ?? .int, count, isNested: true)
    }
  }

  private mutating func double() -> Double {
    [
      0, -0.0, .infinity, -.infinity, .leastNonzeroMagnitude, .greatestFiniteMagnitude, 1,
      .random(in: -1e9...1e9, using: &random),
    ]
    .randomElement(using: &random) ?? 0
  }

  private mutating func string() -> String {
    [
      "", " ", "a,b", "\"q\"", "line\r\nline", "$key", "null", "1", "{", "äöü", "a\u{0}b", "👩‍👩‍👧",
      "plain \(Int.random(in: 0..<99, using: &random))",
    ]
    .randomElement(using: &random) ?? ""
  }

  private mutating func timestamp() -> Timestamp {
    let seconds =
      [0, .min, .max, -1, 253_402_300_800, Int64.random(in: -1_000_000_000_000...1_000_000_000_000, using: &random)]
      .randomElement(using: &random) ?? 0
    let nanoseconds = Int32([0, 1, 999_999_999, 500_000_000].randomElement(using: &random) ?? 0)
    let signed = seconds < 0 || (seconds == 0 && Bool.random(using: &random)) ? -nanoseconds : nanoseconds
    return Timestamp(seconds: seconds, nanoseconds: signed)
  }

  private mutating func objectId() -> ObjectId {
    ObjectId(bytes: (0..<12).map { _ in UInt8.random(in: 0...255, using: &random) }) ?? .zero
  }

  private mutating func uuid() -> UUID {
    let bytes = (0..<16).map { _ in UInt8.random(in: 0...255, using: &random) }
    return UUID(uuid: bytes.withUnsafeBytes { $0.load(as: uuid_t.self) })
  }
}
