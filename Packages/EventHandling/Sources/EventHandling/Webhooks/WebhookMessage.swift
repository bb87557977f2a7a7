import ByteCoding
import DataModel
import Foundation

/// The body of a webhook: one transaction as JSON.
///
/// ```text
/// {"id": "/ann/private#12-77", "path": "/ann/private", "version": 12, "author": 3, "time": 1700000000000, "catchUp": false,
///  "changes": {"Coupon": {"insertions": [{"key": 7, "values": {"code": "WELCOME"}}], "deletions": [], "modifications": []}}}
/// ```
enum WebhookMessage {
  /// The bytes for a transaction.
  static func body(_ details: ChangeDetails) -> [UInt8] {
    let classes = details.changes.sorted { $0.key < $1.key }.map { name, changes -> (String, JSONValue) in
      (
        name,
        .object([
          ("insertions", .array(changes.insertions.map { object($0, [("values", $0.currentValues)]) })),
          ("deletions", .array(changes.deletions.map { object($0, [("values", $0.previousValues)]) })),
          (
            "modifications",
            .array(
              changes.modifications.map { object($0, [("before", $0.previousValues), ("after", $0.currentValues)]) })
          ),
        ])
      )
    }
    let message = JSONValue.object([
      ("id", .string(details.id.description)), ("path", .string(details.path)),
      ("version", .number(String(details.id.position.version.rawValue))),
      ("author", .number(String(details.author.rawValue))),
      ("time", .number(String(details.timestamp.unixMilliseconds))),
      ("catchUp", .bool(details.isCatchUp)), ("changes", .object(classes)),
    ])
    return Array(message.text.utf8)
  }

  private static func object(_ change: ModificationDetails, _ values: [(String, [String: Value]?)]) -> JSONValue {
    .object(
      [("key", key(change.key))]
        + values.map { name, values in
          (name, values.map { .object($0.sorted { $0.key < $1.key }.map { ($0.key, json($0.value)) }) } ?? .null)
        })
  }

  private static func key(_ key: ObjectKey) -> JSONValue {
    if case .global(let global) = key { return .string("\(global.high)-\(global.low)") }
    return json(key.value ?? .null)
  }

  private static func json(_ value: Value) -> JSONValue {
    switch value {
    case .null: .null
    case .int(let number): .number(String(number))
    case .bool(let flag): .bool(flag)
    case .string(let text): .string(text)
    case .double(let number): number.isFinite ? .number("\(number)") : .string("\(number)")
    case .float(let number): number.isFinite ? .number("\(number)") : .string("\(number)")
    case .data(let bytes): .string(Data(bytes).base64EncodedString())
    case .timestamp(let time):
      .object([("seconds", .number("\(time.seconds)")), ("nanoseconds", .number("\(time.nanoseconds)"))])
    case .decimal128(let number): .string(number.description)
    case .objectId(let id): .string(id.description)
    case .uuid(let uuid): .string(uuid.uuidString.lowercased())
    case .link(let target): .object([("class", .string(target.className)), ("key", key(target.key))])
    case .list(let elements): .array(elements.map(json))
    case .dictionary(let entries): .object(entries.sorted { $0.key < $1.key }.map { ($0.key, json($0.value)) })
    }
  }
}
