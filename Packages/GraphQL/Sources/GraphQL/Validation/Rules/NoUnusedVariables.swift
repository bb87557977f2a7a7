/// Variables that an operation defines are used by it.
enum NoUnusedVariables: ValidationRule {
  static func check(_ context: ValidationContext) -> [GraphQLError] {
    context.operations.enumerated().flatMap { index, operation -> [GraphQLError] in
      guard !operation.variables.isEmpty else { return [] }
      let used = Set(context.variablesUsed(by: index).map(\.name))
      let owner = operation.name.map { " in operation \"\($0.text)\"" } ?? ""
      return operation.variables.filter { !used.contains($0.name.text) }.map {
        context.error("The variable \"$\($0.name.text)\" is never used\(owner).", $0.offset)
      }
    }
  }
}
