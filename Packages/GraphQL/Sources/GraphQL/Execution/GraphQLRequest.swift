public import ByteCoding

/// One request: a document, the operation in it, and the values of its variables.
public struct GraphQLRequest: Sendable {
  /// The text of the document.
  public var query: String
  /// The operation to run; may be nil when the document has only one.
  public var operationName: String?
  /// The values of variables, an object or null.
  public var variables: JSONValue
  /// Facts for the service, an object or null.
  public var extensions: JSONValue

  /// A request.
  public init(
    _ query: String, operationName: String? = nil, variables: JSONValue = .null, extensions: JSONValue = .null
  ) {
    self.query = query
    self.operationName = operationName
    self.variables = variables
    self.extensions = extensions
  }

  /// The request of a JSON object with `query`, `operationName`, `variables` and `extensions`, as "GraphQL over HTTP"
  /// describes it.
  ///
  /// - Throws: ``GraphQLError`` when the query is missing or an entry has the wrong type.
  public init(json: JSONValue) throws(GraphQLError) {
    guard case .object = json else { throw GraphQLError("A request is a JSON object.", code: "BAD_REQUEST") }
    guard let query = json["query"]?.string else {
      throw GraphQLError("The request has no text in \"query\".", code: "BAD_REQUEST")
    }
    self.init(query)
    switch json["operationName"] {
    case nil, .null: break
    case .string(let name): operationName = name
    case .bool, .number, .array, .object:
      throw GraphQLError("\"operationName\" is a text or null.", code: "BAD_REQUEST")
    }
    variables = try Self.object("variables", of: json)
    extensions = try Self.object("extensions", of: json)
  }

  private static func object(_ name: String, of json: JSONValue) throws(GraphQLError) -> JSONValue {
    switch json[name] {
    case nil, .null: return .null
    case .object(let members): return .object(members)
    case .bool, .number, .string, .array: throw GraphQLError("\"\(name)\" is an object or null.", code: "BAD_REQUEST")
    }
  }
}
