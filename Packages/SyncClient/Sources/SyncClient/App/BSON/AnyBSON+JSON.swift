import ByteCoding
import DataModel
import Foundation
import Permissions

/// Extended JSON (version 2, canonical) to and from values, as the HTTP routes of apps carry it.
extension AnyBSON {
  /// The value as extended JSON; members of documents in the order of their names.
  var json: JSONValue {
    switch self {
    case .null, .undefined: .null
    case .bool(let value): .bool(value)
    case .string(let text): .string(text)
    case .int32(let value): Self.typed("$numberInt", "\(value)")
    case .int64(let value): Self.typed("$numberLong", "\(value)")
    case .double(let value): Self.typed("$numberDouble", Self.text(value))
    case .decimal128(let value): Self.typed("$numberDecimal", value.description)
    case .objectId(let id): Self.typed("$oid", id.stringValue)
    case .uuid(let uuid):
      Self.binary(withUnsafeBytes(of: uuid.uuid) { Data($0) }, subtype: "04")
    case .binary(let data): Self.binary(data, subtype: "00")
    case .datetime(let date):
      .object([("$date", Self.typed("$numberLong", "\(Self.milliseconds(date))"))])
    case .timestamp(let date):
      .object([
        (
          "$timestamp",
          .object([("t", .number("\(max(0, Self.milliseconds(date) / 1_000))")), ("i", .number("0"))])
        )
      ])
    case .minKey: .object([("$minKey", .number("1"))])
    case .maxKey: .object([("$maxKey", .number("1"))])
    case .array(let elements): .array(elements.map { ($0 ?? .null).json })
    case .document(let members):
      .object(members.sorted { $0.key < $1.key }.map { ($0.key, ($0.value ?? .null).json) })
    }
  }

  /// The value of extended JSON, canonical or relaxed. What is no known type is a document.
  init(json: JSONValue) {
    switch json {
    case .null: self = .null
    case .bool(let value): self = .bool(value)
    case .string(let text): self = .string(text)
    case .number(let text): self = Int64(text).map { .int64($0) } ?? Double(text).map { .double($0) } ?? .null
    case .array(let elements): self = .array(elements.map { AnyBSON(json: $0) })
    case .object(let members):
      if members.count == 1, let typed = Self.typed(members[0].key, members[0].value) {
        self = typed
      } else {
        self = .document(Dictionary(members.map { ($0.key, AnyBSON(json: $0.value)) }, uniquingKeysWith: { $1 }))
      }
    }
  }

  private static func typed(_ name: String, _ text: String) -> JSONValue { .object([(name, .string(text))]) }

  private static func binary(_ data: Data, subtype: String) -> JSONValue {
    .object([
      ("$binary", .object([("base64", .string(data.base64EncodedString())), ("subType", .string(subtype))]))
    ])
  }

  private static func text(_ number: Double) -> String {
    number.isNaN ? "NaN" : number.isInfinite ? (number < 0 ? "-Infinity" : "Infinity") : "\(number)"
  }

  private static func number(_ text: String) -> Double? {
    switch text {
    case "NaN": .nan
    case "Infinity": .infinity
    case "-Infinity": -.infinity
    default: Double(text)
    }
  }

  private static func milliseconds(_ date: Date) -> Int64 {
    Int64(exactly: (date.timeIntervalSince1970 * 1_000).rounded()) ?? 0
  }

  private static func typed(_ name: String, _ value: JSONValue) -> AnyBSON? {
    switch name {
    case "$numberInt": value.string.flatMap { Int32($0) }.map { .int32($0) }
    case "$numberLong": value.string.flatMap { Int64($0) }.map { .int64($0) }
    case "$numberDouble": value.string.flatMap { number($0) }.map { .double($0) }
    case "$numberDecimal": value.string.flatMap { Decimal128(validating: $0) }.map { .decimal128($0) }
    case "$oid": value.string.flatMap { try? ObjectId(string: $0) }.map { .objectId($0) }
    case "$uuid": value.string.flatMap { UUID(uuidString: $0) }.map { .uuid($0) }
    case "$minKey": .minKey
    case "$maxKey": .maxKey
    case "$undefined": .undefined
    case "$timestamp": value["t"]?.integer.map { .timestamp(Date(timeIntervalSince1970: Double($0))) }
    case "$date": date(value).map { .datetime($0) }
    case "$binary": binary(value)
    default: nil
    }
  }

  private static func date(_ value: JSONValue) -> Date? {
    if let text = value["$numberLong"]?.string, let milliseconds = Int64(text) {
      return Date(timeIntervalSince1970: Double(milliseconds) / 1_000)
    }
    return value.string.flatMap { try? Date($0, strategy: .iso8601) }
  }

  private static func binary(_ value: JSONValue) -> AnyBSON? {
    guard let data = value["base64"]?.string.flatMap({ Data(base64Encoded: $0) }) else { return nil }
    guard value["subType"]?.string == "04", data.count == 16 else { return .binary(data) }
    return .uuid(data.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) })
  }
}

extension AnyBSON {
  /// The value as a partition of realms; nil for a type that cannot be one.
  var partition: PartitionValue? {
    switch self {
    case .null: .null
    case .string(let text): .string(text)
    case .int32(let number): .int(number)
    case .int64(let number): .long(number)
    case .objectId(let id): .objectId(id.stringValue)
    case .uuid(let uuid): .uuid(uuid.uuidString.filter { $0 != "-" }.lowercased())
    case .double, .document, .array, .binary, .undefined, .bool, .datetime, .timestamp, .decimal128, .minKey, .maxKey:
      nil
    }
  }
}
