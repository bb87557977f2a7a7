/// The type of a variable fits every place where it is used.
enum VariablesInAllowedPosition: ValidationRule {
  static func check(_ context: ValidationContext) -> [GraphQLError] {
    var errors: [GraphQLError] = []
    for (index, operation) in context.operations.enumerated() where !operation.variables.isEmpty {
      let defined = Dictionary(
        operation.variables.map { ($0.name.text, $0) }, uniquingKeysWith: { _, last in last })
      for use in context.variablesUsed(by: index) {
        guard let variable = defined[use.name], let type = use.type,
          context.schema.type(named: variable.type.name.text) != nil
        else { continue }
        if let problem = problem(variable, use, type, context.schema) {
          errors.append(context.error(problem, variable.offset, use.offset))
          if errors.count >= context.limits.errors { return errors }
        }
      }
    }
    return errors
  }

  private static func problem(
    _ variable: VariableDefinition, _ use: ValidationContext.VariableUse, _ type: TypeReference, _ schema: GraphQLSchema
  ) -> String? {
    let name = variable.name.text
    var isAllowed: Bool
    if case .nonNull(let inner) = type, !variable.type.isNonNull {
      let hasValue = variable.defaultValue.map { !$0.isNull } ?? false
      isAllowed = (hasValue || use.hasDefault) && schema.isSubtype(variable.type, of: inner)
    } else {
      isAllowed = schema.isSubtype(variable.type, of: type)
    }
    if !isAllowed {
      return "The variable \"$\(name)\" of type \"\(variable.type)\" cannot stand where \"\(type)\" is expected."
    }
    if let oneOf = use.oneOf, !variable.type.isNonNull {
      return
        "The variable \"$\(name)\" of type \"\(variable.type)\" must be without null to stand in the input \"\(oneOf)\"."
    }
    return nil
  }
}
