/// The facts about a document that rules look at, gathered in one walk.
final class ValidationContext {
  let document: GraphQLDocument
  let schema: GraphQLSchema
  let limits: GraphQLLimits
  let suggestsNames: Bool
  let operations: [OperationDefinition]
  let fragments: [FragmentDefinition]
  /// The first fragment of each name.
  let fragmentIndex: [String: Int]

  /// Definitions are numbered: operations first, then fragments.
  struct FieldUse {
    let field: Field
    let parent: TypeDefinition?
    let definition: FieldDefinition?
  }
  struct InlineUse {
    let fragment: InlineFragment
    let parent: TypeDefinition?
  }
  struct SpreadUse {
    let spread: FragmentSpread
    let parent: TypeDefinition?
    let owner: Int
  }
  struct DirectiveUse {
    let directives: [Directive]
    let location: DirectiveLocation
  }
  struct ValueUse {
    let value: ValueLiteral
    let type: TypeReference?
  }
  struct VariableUse {
    let name: String
    let offset: SourceOffset
    let type: TypeReference?
    let hasDefault: Bool
    /// The name of the oneOf input that the variable is a field of.
    let oneOf: String?
  }

  var fields: [FieldUse] = []
  var inlines: [InlineUse] = []
  var spreads: [SpreadUse] = []
  var directives: [DirectiveUse] = []
  var values: [ValueUse] = []
  /// The variables used in each definition.
  var variables: [[VariableUse]]

  init(_ document: GraphQLDocument, schema: GraphQLSchema, limits: GraphQLLimits, suggestsNames: Bool) {
    self.document = document
    self.schema = schema
    self.limits = limits
    self.suggestsNames = suggestsNames
    operations = document.operations
    fragments = document.fragments
    fragmentIndex = Dictionary(
      fragments.enumerated().map { ($1.name.text, $0) }, uniquingKeysWith: { first, _ in first })
    variables = Array(repeating: [], count: operations.count + fragments.count)
    var walk = DocumentWalk(context: self)
    walk.run()
  }

  func error(_ message: String, _ offsets: SourceOffset...) -> GraphQLError { error(message, offsets) }

  /// An error of a rule. Finding a place is O(document), so the many errors that are not listed anyway have none.
  func error(_ message: String, _ offsets: [SourceOffset]) -> GraphQLError {
    errorCount += 1
    let locations = isBeyondErrors ? [] : offsets.map(document.source.location)
    return GraphQLError(message, locations: locations, code: "GRAPHQL_VALIDATION_FAILED")
  }

  private var errorCount = 0
  private var isBeyondErrors: Bool { errorCount > 4 * limits.errors }

  func suggestion(_ name: String, among names: some Sequence<String>) -> String {
    suggestsNames && !isBeyondErrors ? Suggestions.text(name, among: names) : ""
  }

  /// The fragments that a definition spreads, directly or not, by their numbers; each once.
  func fragmentsReached(from definition: Int) -> [Int] {
    if let known = reached[definition] { return known }
    var found: [Int] = []
    var seen: Set<Int> = []
    var waiting = [definition]
    while let next = waiting.popLast() {
      for name in spreadNames[next] ?? [] {
        guard let fragment = fragmentIndex[name], seen.insert(fragment).inserted else { continue }
        found.append(fragment)
        waiting.append(operations.count + fragment)
      }
    }
    reached[definition] = found
    return found
  }

  private var reached: [Int: [Int]] = [:]
  private lazy var spreadNames: [Int: [String]] = Dictionary(
    grouping: spreads, by: \.owner
  ).mapValues { $0.map(\.spread.name.text) }

  /// The variables that an operation uses, in its own selections and in the fragments that it reaches.
  func variablesUsed(by operation: Int) -> [VariableUse] {
    variables[operation] + fragmentsReached(from: operation).flatMap { variables[operations.count + $0] }
  }
}
