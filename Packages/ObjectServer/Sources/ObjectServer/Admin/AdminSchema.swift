import ByteCoding

/// The shape of a JSON document of the administration API: checks documents, and describes itself in OpenAPI.
///
///     AdminSchema.object([.init("name", .string(maximum: 256))]).problem(in: .object([]))   // "'name' is missing"
indirect enum AdminSchema: Sendable {
  /// A text of at most `maximum` characters.
  case string(maximum: Int = 1 << 20)
  /// One of these texts.
  case choice([String])
  case integer(ClosedRange<Int64> = .min ... .max)
  case number
  case boolean
  /// Any document.
  case any
  case array(AdminSchema)
  /// An object with these members and no others.
  case object([Member])
  /// An object whose members have names that are not known beforehand.
  case map(AdminSchema)

  struct Member: Sendable {
    var name: String
    var schema: AdminSchema
    var isRequired: Bool
    var summary: String

    init(_ name: String, _ schema: AdminSchema, isRequired: Bool = true, _ summary: String = "") {
      self.name = name
      self.schema = schema
      self.isRequired = isRequired
      self.summary = summary
    }
  }

  /// The first place at which a document has another shape, as a sentence; nil when there is none.
  ///
  /// - Complexity: O(*n*) in the size of the document.
  func problem(in value: JSONValue, at place: String = "") -> String? {
    let name = place.isEmpty ? "the body" : "'\(place)'"
    switch (self, value) {
    case (.string(let maximum), .string(let text)):
      return text.unicodeScalars.count <= maximum ? nil : "\(name) is longer than \(maximum) characters"
    case (.choice(let texts), .string(let text)):
      return texts.contains(text) ? nil : "\(name) is none of \(texts.joined(separator: ", "))"
    case (.integer(let range), .number):
      guard let number = value.integer, range.contains(number) else {
        return "\(name) is no integer from \(range.lowerBound) to \(range.upperBound)"
      }
      return nil
    case (.number, .number), (.boolean, .bool), (.any, _): return nil
    case (.array(let element), .array(let values)):
      for (index, value) in values.enumerated() {
        if let problem = element.problem(in: value, at: "\(place)[\(index)]") { return problem }
      }
      return nil
    case (.object(let members), .object(let found)): return Self.problem(members, found, place)
    case (.map(let schema), .object(let found)):
      for member in found {
        if let problem = schema.problem(in: member.value, at: Self.join(place, member.key)) { return problem }
      }
      return nil
    case (.string, _), (.choice, _), (.integer, _), (.number, _), (.boolean, _), (.array, _), (.object, _), (.map, _):
      return "\(name) has the wrong type"
    }
  }

  private static func problem(
    _ members: [Member], _ found: [(key: String, value: JSONValue)], _ place: String
  ) -> String? {
    var seen: Set<String> = []
    for (key, value) in found {
      guard let member = members.first(where: { $0.name == key }) else { return "'\(join(place, key))' is not known" }
      guard seen.insert(key).inserted else { return "'\(join(place, key))' is there twice" }
      if let problem = member.schema.problem(in: value, at: join(place, key)) { return problem }
    }
    return members.first { $0.isRequired && !seen.contains($0.name) }.map { "'\(join(place, $0.name))' is missing" }
  }

  private static func join(_ place: String, _ name: String) -> String {
    let shown = String(name.prefix(64))
    return place.isEmpty ? shown : place + "." + shown
  }

  /// The schema in the words of OpenAPI 3.1, which are those of JSON Schema.
  var description: JSONValue {
    switch self {
    case .string(let maximum): .object([("type", "string"), ("maxLength", .number(String(maximum)))])
    case .choice(let texts): .object([("type", "string"), ("enum", .array(texts.map(JSONValue.string)))])
    case .integer(.min ... .max): .object([("type", "integer"), ("format", "int64")])
    case .integer(let range):
      .object([
        ("type", "integer"), ("minimum", .number(String(range.lowerBound))),
        ("maximum", .number(String(range.upperBound))),
      ])
    case .number: .object([("type", "number")])
    case .boolean: .object([("type", "boolean")])
    case .any: .object([])
    case .array(let element): .object([("type", "array"), ("items", element.description)])
    case .map(let schema): .object([("type", "object"), ("additionalProperties", schema.description)])
    case .object(let members):
      .object([
        ("type", "object"), ("additionalProperties", .bool(false)),
        ("required", .array(members.filter(\.isRequired).map { .string($0.name) })),
        ("properties", .object(members.map { ($0.name, Self.describe($0)) })),
      ])
    }
  }

  private static func describe(_ member: Member) -> JSONValue {
    guard !member.summary.isEmpty, case .object(let members) = member.schema.description else {
      return member.schema.description
    }
    return .object(members + [("description", .string(member.summary))])
  }
}

extension JSONValue: ExpressibleByStringLiteral {
  /// The text.
  public init(stringLiteral value: String) { self = .string(value) }
}

extension JSONValue {
  /// A number that is written as an integer.
  static func integer(_ number: some BinaryInteger) -> JSONValue { .number(String(number)) }
}
