extension GraphQLDocument {
  /// The rules of the specification that the document breaks against a schema, in the order of their places; none when
  /// it may run.
  ///
  ///     let document = try GraphQLDocument(parsing: "{ dog { nmae } }")
  ///     document.validate(against: schema)
  ///     // [1:9: Cannot query field "nmae" on type "Dog". Did you mean "name"?]
  ///
  /// - Parameters:
  ///   - schema: the schema.
  ///   - limits: bounds on depth, aliases, steps and errors.
  ///   - suggestsNames: whether messages name what may have been meant.
  /// - Complexity: O(document) but for the rule about fields of equal response names, whose steps are bounded.
  public func validate(
    against schema: GraphQLSchema, limits: GraphQLLimits = GraphQLLimits(), suggestsNames: Bool = true
  ) -> [GraphQLError] {
    let context = ValidationContext(self, schema: schema, limits: limits, suggestsNames: suggestsNames)
    let cycles = NoFragmentCycles.check(context)
    if cycles.isEmpty, let refusal = DocumentMeasure.refusal(context) { return [refusal] }
    var errors = cycles
    for rule in ValidationRules.all where errors.count < limits.errors { errors += rule.check(context) }
    if cycles.isEmpty, errors.count < limits.errors { errors += OverlappingFieldsCanBeMerged.check(context) }
    let ordered = errors.enumerated().sorted { left, right in
      let last = SourceLocation(line: .max, column: .max)
      let (one, two) = (left.element.locations.first ?? last, right.element.locations.first ?? last)
      return one == two ? left.offset < right.offset : one < two
    }.map(\.element)
    guard ordered.count >= limits.errors else { return ordered }
    return ordered.prefix(limits.errors) + [GraphQLError("There are more errors than \(limits.errors).")]
  }
}

/// A rule of the specification.
protocol ValidationRule: SendableMetatype {
  /// The places where the document breaks the rule.
  static func check(_ context: ValidationContext) -> [GraphQLError]
}

enum ValidationRules {
  /// All rules but the two that run before and after them, in the order of the specification.
  static let all: [any ValidationRule.Type] = [
    ExecutableDefinitions.self, KnownOperationTypes.self, UniqueOperationNames.self, LoneAnonymousOperation.self,
    SingleFieldSubscriptions.self, KnownTypeNames.self, FragmentsOnCompositeTypes.self, VariablesAreInputTypes.self,
    ScalarLeafs.self, FieldsOnCorrectType.self, UniqueFragmentNames.self, KnownFragmentNames.self,
    NoUnusedFragments.self, PossibleFragmentSpreads.self, UniqueVariableNames.self, NoUndefinedVariables.self,
    NoUnusedVariables.self, KnownDirectives.self, UniqueDirectivesPerLocation.self, KnownArgumentNames.self,
    UniqueArgumentNames.self, ValuesOfCorrectType.self, ProvidedRequiredArguments.self,
    VariablesInAllowedPosition.self, UniqueInputFieldNames.self, MaxIntrospectionDepth.self,
  ]
}
