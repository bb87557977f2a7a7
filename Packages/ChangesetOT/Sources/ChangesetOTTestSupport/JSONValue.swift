import FoundationEssentials

/// Any JSON document.
enum JSONValue: Decodable, Equatable, Sendable {
  case null
  case bool(Bool)
  case int(Int64)
  case double(Double)
  case string(String)
  case array([JSONValue])
  case object([String: JSONValue])

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Int64.self) {
      self = .int(value)
    } else if let value = try? container.decode(Double.self) {
      self = .double(value)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode([JSONValue].self) {
      self = .array(value)
    } else {
      self = .object(try container.decode([String: JSONValue].self))
    }
  }

  subscript(_ name: String) -> JSONValue? { if case .object(let members) = self { members[name] } else { nil } }

  var text: String? { if case .string(let value) = self { value } else { nil } }
  var number: Int64? { if case .int(let value) = self { value } else { nil } }
  var flag: Bool? { if case .bool(let value) = self { value } else { nil } }
  var items: [JSONValue]? { if case .array(let value) = self { value } else { nil } }
  var members: [String: JSONValue]? { if case .object(let value) = self { value } else { nil } }
}
