extension GraphQLService {
  /// The values of the variables of an operation, coerced to their types, defaults filled in.
  func coerceVariables(
    of operation: OperationDefinition, _ given: GraphQLValue, _ document: ValidDocument
  ) throws(GraphQLRequestError) -> [String: GraphQLValue] {
    guard !operation.variables.isEmpty else { return [:] }
    var values: [String: GraphQLValue] = [:]
    var errors: [GraphQLError] = []
    var members: [String: GraphQLValue] = [:]
    if case .object(let given) = given { for member in given { members[member.name] = member.value } }
    func fail(_ message: String, _ variable: VariableDefinition) {
      errors.append(
        GraphQLError(
          message, locations: [document.document.source.location(of: variable.offset)], code: "BAD_VARIABLES"))
    }
    for variable in operation.variables {
      let name = variable.name.text
      guard let value = members[name] else {
        if let literal = variable.defaultValue {
          values[name] = schema.coerce(literal, to: variable.type, variables: [:])
        } else if variable.type.isNonNull {
          fail("The variable \"$\(name)\" of type \"\(variable.type)\" has no value.", variable)
        }
        continue
      }
      var coercion = VariableCoercion(schema: schema, variable: name)
      values[name] = coercion.coerce(value, to: variable.type)
      for problem in coercion.problems { fail("The variable \"$\(name)\" has an invalid value \(problem)", variable) }
      if errors.count >= limits.errors { break }
    }
    guard errors.isEmpty else { throw GraphQLRequestError(errors: errors) }
    return values
  }
}
