/// Selected fields exist on the type around them.
enum FieldsOnCorrectType: ValidationRule {
  static func check(_ context: ValidationContext) -> [GraphQLError] {
    context.fields.lazy.filter { $0.definition == nil }.prefix(context.limits.errors).compactMap { use in
      guard let parent = use.parent else { return nil }
      let name = use.field.name.text
      let hint = context.suggestsNames ? self.hint(name, parent, context) : ""
      return context.error("Cannot query field \"\(name)\" on type \"\(parent.name.text)\".\(hint)", use.field.offset)
    }
  }

  private static func hint(_ name: String, _ parent: TypeDefinition, _ context: ValidationContext) -> String {
    if parent.kind.isAbstract {
      let types = context.schema.possibleTypes(of: parent.name.text)
        .filter { context.schema.field(name, of: $0) != nil }.prefix(3).map { "\"\($0)\"" }
      if !types.isEmpty { return " Did you mean a fragment on \(types.joined(separator: " or "))?" }
    }
    return Suggestions.text(name, among: parent.fields.map(\.name.text))
  }
}
