/// Fields of objects have selections, leaves have none.
enum ScalarLeafs: ValidationRule {
  static func check(_ context: ValidationContext) -> [GraphQLError] {
    context.fields.compactMap { use in
      guard let definition = use.definition, let type = context.schema.type(named: definition.type.name.text) else {
        return nil
      }
      let name = use.field.name.text
      if type.kind.isComposite, use.field.selectionSet == nil {
        return context.error(
          "The field \"\(name)\" of type \"\(definition.type)\" must have a selection of fields: \(name) { … }.",
          use.field.offset)
      }
      if type.kind.isLeaf, let set = use.field.selectionSet {
        return context.error(
          "The field \"\(name)\" of type \"\(definition.type)\" has no fields to select.", set.offset)
      }
      return nil
    }
  }
}
