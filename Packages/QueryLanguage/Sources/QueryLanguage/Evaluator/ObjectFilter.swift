public import DataModel

/// The predicate of a plan as a function of one object's own values: no store, no other object takes part.
///
///     let plan = try QueryPlan(query, className: "Person", schema: schema)
///     if let filter = ObjectFilter(plan) { try filter.holds(for: ObjectValues(row, of: person)) }
///
/// The rules are those of ``QueryPlan/matches(_:in:)``, by the same evaluator. A filter is a value without ties: keep
/// it, send it to other threads.
public struct ObjectFilter: Sendable {
  /// The class whose objects are asked about.
  public let className: String
  let predicate: PlanPredicate

  /// The filter of a plan; its clauses play no part.
  ///
  /// - Returns: nil when the plan follows links, since its outcome then depends on other objects.
  public init?(_ plan: QueryPlan) {
    guard !plan.followsLinks else { return nil }
    className = plan.className
    predicate = plan.predicate
  }

  /// Whether the predicate holds for an object.
  ///
  /// - Parameter object: values of the class that the plan was made for.
  /// - Throws: never; the signature is that of all sources.
  /// - Complexity: O(*n*) for *n* nodes of the predicate and bytes of the values that it reads.
  public func holds(for object: ObjectValues) throws -> Bool {
    try RowEvaluator(execution: object.execution).holds(predicate, className, 0)
  }
}

/// The values of one object, ready for any number of filters. Used from one thread.
public struct ObjectValues {
  /// One value per property, in the order of the class.
  public let values: [Value]
  let execution: Execution

  /// The object with these values.
  ///
  /// - Parameters:
  ///   - values: one per property in the order of `ObjectSchema.properties`, each null or of exactly the type of its
  ///     property, as a ``QueryCluster`` gives it; values missing at the end are null.
  ///   - objectSchema: the class.
  public init(_ values: [Value], of objectSchema: ObjectSchema) {
    self.values = values
    execution = Execution(ValueSource(ValueRows(row: values), of: objectSchema, in: Schema([objectSchema])))
  }
}
