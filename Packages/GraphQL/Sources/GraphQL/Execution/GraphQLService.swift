/// A schema with its bounds and its cache of documents: turns requests into responses.
///
///     let schema = try GraphQLSchema(parsing: "type Query { hello(name: String = \"world\"): String }")
///     let service = GraphQLService(schema: schema)
///     let response = await service.execute(GraphQLRequest("{ hello }"), roots: GraphQLRoots(query: Greeter()))
///     print(response.text)      // {"data":{"hello":"Hello, world"}}
///
/// Any thread may call it. Parsing and validation happen once per document; see ``DocumentCache``.
public final class GraphQLService: Sendable {
  /// The schema.
  public let schema: GraphQLSchema
  /// The bounds of every request.
  public let limits: GraphQLLimits
  /// Whether messages name what may have been meant; false where names are not for everyone.
  public let suggestsNames: Bool
  private let cache: DocumentCache

  /// A service.
  ///
  /// - Parameter cachedDocuments: the number of valid documents that are kept.
  public init(
    schema: GraphQLSchema, limits: GraphQLLimits = GraphQLLimits(), suggestsNames: Bool = true,
    cachedDocuments: Int = 1_000
  ) {
    self.schema = schema
    self.limits = limits
    self.suggestsNames = suggestsNames
    cache = DocumentCache(capacity: cachedDocuments)
  }

  /// Runs a query or a mutation.
  ///
  /// - Parameters:
  ///   - request: the request; one for a subscription is refused.
  ///   - roots: the objects that root fields are asked of.
  ///   - budget: asked while the request runs.
  public func execute(
    _ request: GraphQLRequest, roots: GraphQLRoots, budget: ExecutionBudget = .unlimited
  ) async -> GraphQLResponse {
    do {
      let operation = try prepare(request)
      return await operation.execute(try roots.batch(for: operation.kind), budget: budget)
    } catch {
      return GraphQLResponse(refused: error.errors)
    }
  }

  /// Parses, validates and plans a request.
  ///
  /// - Throws: ``GraphQLRequestError`` with every reason why the request cannot run.
  /// - Complexity: O(variables and root fields) for a known document; O(bytes) to parse and validate another.
  public func prepare(_ request: GraphQLRequest) throws(GraphQLRequestError) -> PreparedOperation {
    let document = try validDocument(request.query)
    let operation = try document.operation(named: request.operationName)
    guard let root = schema.rootType(of: operation.kind) else {
      throw GraphQLRequestError("The schema has no \(operation.kind.rawValue)s.")
    }
    let variables = try coerceVariables(of: operation, GraphQLValue(request.variables), document)
    let cost = try ComplexityMeter.cost(of: operation, in: document, schema, variables, limits)
    let selection = CallSelection(
      schema: schema, source: document.document.source, fragments: document.fragments, variables: variables)
    return PreparedOperation(
      operation: operation, rootType: root.name.text, selection: selection, limits: limits, complexity: cost)
  }

  /// The document of a text, from the cache or parsed and validated.
  ///
  /// - Throws: ``GraphQLRequestError`` with the syntax error, or every broken rule.
  func validDocument(_ text: String) throws(GraphQLRequestError) -> ValidDocument {
    if let known = cache[text] { return known }
    let document: GraphQLDocument
    do { document = try GraphQLDocument(parsing: text, limits: limits) } catch {
      throw GraphQLRequestError(errors: [error])
    }
    let errors = document.validate(against: schema, limits: limits, suggestsNames: suggestsNames)
    guard errors.isEmpty else { throw GraphQLRequestError(errors: errors) }
    let valid = ValidDocument(document)
    cache[text] = valid
    return valid
  }
}

/// The reasons why a request was refused before it ran.
public struct GraphQLRequestError: Error, Hashable, Sendable, CustomStringConvertible {
  /// One error per reason, at least one.
  public let errors: [GraphQLError]

  init(errors: [GraphQLError]) { self.errors = errors }

  init(_ message: String, locations: [SourceLocation] = []) {
    errors = [GraphQLError(message, locations: locations, code: "BAD_REQUEST")]
  }

  /// The errors, one per line.
  public var description: String { errors.map(\.description).joined(separator: "\n") }
}
