public import DataModel

/// A predicate about plain values rather than objects: `self` is the value, and nothing else has a name.
///
///     let query = try ParsedQuery(valueFormat: "SELF > %@ AND SELF < 9", arguments: [3])
///     let filter = try ValueFilter(query.bound(to: [3]).predicate, type: .int)
///     try filter.positions(in: [.int(5), .int(2), .int(9)])      // [0]
///
/// Every rule of the language holds: types are checked, constants converted, quantifiers obeyed.
public struct ValueFilter: Sendable {
  private let plan: QueryPlan
  private let own: ObjectSchema
  private let schema: Schema

  /// A filter for values of one type.
  ///
  /// - Parameters:
  ///   - type: the type of the values; `.any` for mixed ones.
  ///   - isOptional: whether null is among them.
  ///   - schema: the classes that links in the predicate may name.
  ///   - dialect: whose comparisons the predicate means.
  /// - Throws: ``QueryError`` when the predicate names anything but `self`, or does not fit the type.
  public init(
    _ predicate: QueryPredicate, type: PropertyType, isOptional: Bool = true, schema: Schema = Schema([]),
    dialect: QueryDialect = .realm
  ) throws(QueryError) {
    own = ObjectSchema(
      className: Self.className, properties: [Property(name: "self", type: type, isOptional: isOptional)])
    self.schema = Schema([own] + schema.objectSchema)
    plan = try QueryPlan(
      ParsedQuery(predicate), className: Self.className, schema: QuerySchema(self.schema), dialect: dialect)
  }

  /// The name of the values in errors; no class can have it.
  private static let className = "a plain value"

  /// The positions of the values for which the predicate holds, in ascending order.
  ///
  /// - Throws: never for predicates that the initialiser accepted; the signature is that of all sources.
  /// - Complexity: O(*n*) for *n* values.
  public func positions(in values: [Value]) throws -> [Int] {
    try plan.rows(in: ValueSource(ValueRows(column: values), of: own, in: schema)).map { Int($0) }
  }
}
