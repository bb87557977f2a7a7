/// Fragments apply to objects, interfaces and unions.
enum FragmentsOnCompositeTypes: ValidationRule {
  static func check(_ context: ValidationContext) -> [GraphQLError] {
    func isLeaf(_ name: Name) -> Bool { context.schema.type(named: name.text)?.kind.isComposite == false }
    return context.fragments.filter { isLeaf($0.typeCondition) }.map {
      context.error(
        "The fragment \"\($0.name.text)\" cannot apply to \"\($0.typeCondition.text)\", which has no fields to select.",
        $0.typeCondition.offset)
    }
      + context.inlines.compactMap(\.fragment.typeCondition).filter(isLeaf).map {
        context.error("A fragment cannot apply to \"\($0.text)\", which has no fields to select.", $0.offset)
      }
  }
}
