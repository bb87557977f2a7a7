/// Lists of introspection are nested less than three deep.
///
/// No rule of the specification: types lead to fields and fields to types, so a short document could ask for every path
/// through a schema.
enum MaxIntrospectionDepth: ValidationRule {
  static func check(_ context: ValidationContext) -> [GraphQLError] {
    var meter = Meter(context: context)
    return context.fields.compactMap { use in
      guard ["__schema", "__type"].contains(use.field.name.text), let set = use.field.selectionSet,
        meter.depth(set) >= 3
      else { return nil }
      return context.error("Introspection is nested too deep.", use.field.offset)
    }
  }

  /// Counts lists of types and fields; each fragment is counted once.
  private struct Meter {
    let context: ValidationContext
    private var fragments: [Int: Int] = [:]
    private static let lists: Set<String> = ["fields", "interfaces", "possibleTypes", "inputFields"]

    init(context: ValidationContext) { self.context = context }

    mutating func depth(_ set: SelectionSet) -> Int {
      var deepest = 0
      for selection in set.selections { deepest = max(deepest, depth(selection)) }
      return deepest
    }

    private mutating func depth(_ selection: Selection) -> Int {
      switch selection {
      case .field(let field):
        return (Self.lists.contains(field.name.text) ? 1 : 0) + (field.selectionSet.map { depth($0) } ?? 0)
      case .inline(let fragment): return depth(fragment.selectionSet)
      case .spread(let spread):
        guard let index = context.fragmentIndex[spread.name.text] else { return 0 }
        if let known = fragments[index] { return known }
        // A fragment that spreads itself counts as nothing within itself; another rule refuses it.
        fragments[index] = 0
        let depth = depth(context.fragments[index].selectionSet)
        fragments[index] = depth
        return depth
      }
    }
  }
}
