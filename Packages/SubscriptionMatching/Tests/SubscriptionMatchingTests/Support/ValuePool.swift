import DataModel
import FoundationEssentials
import QueryLanguage
import TestKit

/// A class with one optional property of each scalar type, values that meet each other at their edges, and queries
/// about them.
enum ValuePool {
  static let types: [(name: String, type: PropertyType)] = [
    ("int", .int), ("bool", .bool), ("text", .string), ("data", .data), ("date", .date), ("float", .float),
    ("double", .double), ("decimal", .decimal128), ("oid", .objectId), ("uuid", .UUID), ("mixed", .any),
    ("other", .int),
  ]

  static let thing = ObjectSchema(
    className: "Thing", primaryKey: "id",
    properties: [Property(name: "id", type: .int)]
      + types.map { Property(name: $0.name, type: $0.type, isOptional: true) })

  static let schema = QuerySchema(Schema([thing]))

  static let long = String(repeating: "long ", count: 20)

  /// Values of one type, null not among them.
  static func values(_ type: PropertyType) -> [Value] {
    switch type {
    case .int: [.int(.min), .int(-1), .int(0), .int(1), .int(2), .int(3), .int(1 << 53), .int(1 << 53 + 1), .int(.max)]
    case .bool: [.bool(false), .bool(true)]
    case .string:
      ["", "a", "A", "ab", "aB", "abc", "é", "e\u{301}", "É", "Z", "\u{10FFFF}", long, long + "a", long + "b", "long"]
        .map { .string($0) }
    case .data: [.data([]), .data([97]), .data([65]), .data([97, 98]), .data([0xC3, 0x89]), .data([0, 255])]
    case .date:
      [
        .timestamp(Timestamp(seconds: -1)), .timestamp(Timestamp(seconds: 0)),
        .timestamp(Timestamp(seconds: 0, nanoseconds: 1)), .timestamp(Timestamp(seconds: 5)),
      ]
    case .float: [.float(-.infinity), .float(-0.0), .float(0), .float(0.1), .float(1), .float(.infinity), .float(.nan)]
    case .double:
      [
        .double(-.infinity), .double(-0.0), .double(0), .double(0.1), .double(Double(Float(0.1))), .double(0.1.nextUp),
        .double(1), .double(2.5), .double(0x1p53), .double(.infinity), .double(.nan),
      ]
    case .decimal128:
      ["0", "-0", "0.1", "0.10", "1", "1.00", "1.000000000000001", "2.5", "-3", "inf", "nan", "9007199254740993"]
        .compactMap { Decimal128(validating: $0) }.map { .decimal128($0) }
    case .objectId: [.objectId(.zero)] + [ObjectId(bytes: [UInt8](1...12))].compactMap { $0 }.map { .objectId($0) }
    case .UUID:
      ["00000000-0000-0000-0000-000000000000", "3f2504e0-4f89-11d3-9a0c-0305e82c3301"].compactMap {
        UUID(uuidString: $0)
      }.map { .uuid($0) }
    case .any:
      [PropertyType.int, .bool, .string, .date, .double, .float, .decimal128, .objectId].flatMap { values($0) }
        + [.list([.int(1), .string("a")]), .dictionary(["k": .int(1)])]
    case .object, .linkingObjects: []
    }
  }

  static func value(_ type: PropertyType, using random: inout SeededGenerator) -> Value {
    random.oneIn(6) ? .null : values(type).randomElement(using: &random) ?? .null
  }

  static func object(_ id: Int64, using random: inout SeededGenerator) -> [Value] {
    [.int(id)] + types.map { value($0.type, using: &random) }
  }

  /// A constant to compare with a property, often of another type that meets it.
  private static func constant(_ type: PropertyType, using random: inout SeededGenerator) -> Value {
    let numbers: [PropertyType] = [.int, .double, .float, .decimal128]
    let chosen = numbers.contains(type) && random.oneIn(4) ? numbers.randomElement(using: &random) ?? type : type
    return value(chosen, using: &random)
  }

  /// A random condition, as text with its arguments.
  static func predicate(_ depth: Int, _ arguments: inout [QueryArgument], using random: inout SeededGenerator) -> String
  {
    if depth > 0, !random.oneIn(3) {
      let parts = (0..<Int.random(in: 1...3, using: &random)).map { _ in
        "(" + predicate(depth - 1, &arguments, using: &random) + ")"
      }
      let joined = parts.joined(separator: random.oneIn(2) ? " AND " : " OR ")
      return random.oneIn(4) ? "NOT (\(joined))" : joined
    }
    let (name, type) = types.randomElement(using: &random) ?? ("int", .int)
    func argument(_ argument: QueryArgument) -> String {
      arguments.append(argument)
      return "$\(arguments.count - 1)"
    }
    switch Int.random(in: 0..<8, using: &random) {
    case 0, 1: return "\(name) == \(argument(.value(constant(type, using: &random))))"
    case 2:
      let list = (0..<Int.random(in: 0...4, using: &random)).map { _ in constant(type, using: &random) }
      return "\(name) IN \(argument(.list(list)))"
    case 3:
      let operation = ["<", "<=", ">", ">=", "!="].randomElement(using: &random) ?? "<"
      return "\(name) \(operation) \(argument(.value(constant(type, using: &random))))"
    case 4:
      let bounds = [constant(type, using: &random), constant(type, using: &random)]
      return random.oneIn(3)
        ? "\(argument(.value(bounds[0]))) < \(name) AND \(name) <= \(argument(.value(bounds[1])))"
        : "\(name) BETWEEN \(argument(.list(bounds)))"
    case 5: return "int \(["<", "==", ">="].randomElement(using: &random) ?? "<") other"
    default:
      let property = ["text", "text", "data", "mixed"].randomElement(using: &random) ?? "text"
      let operation =
        ["BEGINSWITH", "BEGINSWITH[c]", "==[c]", "CONTAINS", "ENDSWITH[c]", "LIKE"].randomElement(using: &random)
        ?? "CONTAINS"
      return "\(property) \(operation) \(argument(.value(value(property == "data" ? .data : .string, using: &random))))"
    }
  }
}
