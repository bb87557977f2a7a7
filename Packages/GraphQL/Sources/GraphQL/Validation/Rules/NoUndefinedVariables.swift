/// Variables that an operation uses are defined by it.
enum NoUndefinedVariables: ValidationRule {
  static func check(_ context: ValidationContext) -> [GraphQLError] {
    var errors: [GraphQLError] = []
    for (index, operation) in context.operations.enumerated() {
      let defined = Set(operation.variables.map(\.name.text))
      for use in context.variablesUsed(by: index) where !defined.contains(use.name) {
        let owner = operation.name.map { " by operation \"\($0.text)\"" } ?? ""
        errors.append(
          context.error("The variable \"$\(use.name)\" is not defined\(owner).", use.offset, operation.offset))
        if errors.count >= context.limits.errors { return errors }
      }
    }
    return errors
  }
}
