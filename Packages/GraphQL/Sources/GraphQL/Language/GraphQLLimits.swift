import ByteCoding

/// Bounds on what one request may cost. Every refusal is an error with the code `LIMIT_EXCEEDED` and the bound's name.
///
/// The bounds on documents are checked before execution; ``rows`` and ``responseBytes`` while it runs. Time is the
/// caller's: see ``ExecutionBudget``.
public struct GraphQLLimits: Sendable {
  /// The bytes of a document.
  public var documentBytes = 256 * 1024
  /// The tokens of a document.
  public var tokens = 20_000
  /// The levels of braces and brackets of a document, those of fragments counted where they are spread.
  public var depth = 64
  /// The fields with an alias, those of fragments counted at each spread.
  public var aliases = 1_000
  /// The cost of an operation: the sum of ``fieldCost`` over its fields, those of fragments counted at each spread.
  public var complexity = 20_000
  /// The cost of one field; 1 plus the cost of its selection by itself.
  public var fieldCost: @Sendable (FieldCost) -> Int = { 1 + $0.selectionCost }
  /// The errors that a response lists; validation stops after so many.
  public var errors = 100
  /// The steps that validation may take to compare fields of equal response names.
  public var mergingSteps = 200_000
  /// The objects that a response may hold.
  public var rows = 1_000_000
  /// The bytes of the data of a response.
  public var responseBytes = 256 * 1024 * 1024

  /// The standard bounds.
  public init() {}

  /// The facts that a cost is made of.
  public struct FieldCost: Sendable {
    /// The type that the field is selected on.
    public let parentType: String
    /// The definition of the field.
    public let definition: FieldDefinition
    /// The arguments as the document gives them.
    public let arguments: [Argument]
    /// The values of the operation's variables.
    public let variables: [String: GraphQLValue]
    /// The sum of the costs of the fields below.
    public let selectionCost: Int
  }

  /// The error that refuses a request beyond a bound.
  static func exceeded(
    _ bound: String, _ limit: Int, _ message: String, locations: [SourceLocation] = []
  ) -> GraphQLError {
    GraphQLError(
      message, locations: locations, code: "LIMIT_EXCEEDED",
      extensions: [.init("bound", .string(bound)), .init("limit", .number(String(limit)))])
  }
}
