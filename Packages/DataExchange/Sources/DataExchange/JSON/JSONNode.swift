/// One JSON value as read: numbers keep their text, all values keep their position.
struct JSONNode {
  enum Content {
    case null
    case bool(Bool)
    case number(String)
    case string(String)
    case array([JSONNode])
    case object([(name: String, value: JSONNode)])
  }
  var content: Content
  var position: TextPosition

  subscript(name: String) -> JSONNode? {
    guard case .object(let members) = content else { return nil }
    return members.first { $0.name == name }?.value
  }

  var string: String? {
    if case .string(let text) = content { return text }
    return nil
  }

  var bool: Bool? {
    if case .bool(let value) = content { return value }
    return nil
  }

  var elements: [JSONNode]? {
    if case .array(let elements) = content { return elements }
    return nil
  }

  /// The value in a few words, for messages.
  var summary: String {
    switch content {
    case .null: "null"
    case .bool(let value): "\(value)"
    case .number(let text): text.count > 40 ? "a number" : text
    case .string(let text): text.count > 40 ? "a text of \(text.count) characters" : "\"\(text)\""
    case .array: "an array"
    case .object: "an object"
    }
  }
}
