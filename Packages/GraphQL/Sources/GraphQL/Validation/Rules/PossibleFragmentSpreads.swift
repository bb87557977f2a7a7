/// A fragment applies where some object can be of both types.
enum PossibleFragmentSpreads: ValidationRule {
  static func check(_ context: ValidationContext) -> [GraphQLError] {
    let schema = context.schema
    func isImpossible(_ parent: TypeDefinition?, _ condition: Name) -> Bool {
      guard let parent, let type = schema.type(named: condition.text), type.kind.isComposite else { return false }
      return !schema.overlap(parent.name.text, type.name.text)
    }
    let inlines = context.inlines.compactMap { use -> GraphQLError? in
      guard let condition = use.fragment.typeCondition, isImpossible(use.parent, condition) else { return nil }
      return context.error(
        "A fragment on \"\(condition.text)\" cannot apply here: no \"\(use.parent?.name.text ?? "")\" is one.",
        use.fragment.offset)
    }
    let spreads = context.spreads.compactMap { use -> GraphQLError? in
      guard let index = context.fragmentIndex[use.spread.name.text] else { return nil }
      let condition = context.fragments[index].typeCondition
      guard isImpossible(use.parent, condition) else { return nil }
      return context.error(
        "The fragment \"\(use.spread.name.text)\" on \"\(condition.text)\" cannot apply here: no \"\(use.parent?.name.text ?? "")\" is one.",
        use.spread.offset)
    }
    return inlines + spreads
  }
}
