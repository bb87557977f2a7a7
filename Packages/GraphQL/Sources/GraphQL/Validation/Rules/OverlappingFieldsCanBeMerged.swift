/// Fields of one response name can be merged: they have one shape, and are the same field where both can apply.
///
/// Two passes over sets of fields, as in S. Adameit, "Validation of field merging in linear time": all fields of one
/// response name must have one shape, whatever their parents; and fields whose parents can be one object must have one
/// name and equal arguments. Both properties are equivalences, so each field is compared with the first of its group only.
/// A set of fields that was looked at is not looked at again. The number of sets can still grow with crafted fragments, so
/// steps are bounded.
enum OverlappingFieldsCanBeMerged: ValidationRule {
  static func check(_ context: ValidationContext) -> [GraphQLError] {
    var merging = FieldMerging(context)
    for operation in context.operations {
      merging.check([operation.selectionSet], context.schema.rootType(of: operation.kind))
    }
    for fragment in context.fragments {
      merging.check([fragment.selectionSet], context.schema.type(named: fragment.typeCondition.text))
    }
    return merging.errors
  }
}
