/// A subscription has exactly one root field, which is none of introspection, and no `@skip` or `@include` beside it.
enum SingleFieldSubscriptions: ValidationRule {
  static func check(_ context: ValidationContext) -> [GraphQLError] {
    var errors: [GraphQLError] = []
    for operation in context.operations where operation.kind == .subscription {
      guard let root = context.schema.rootType(of: .subscription) else { continue }
      var collector = RootCollector(context: context, root: root.name.text)
      collector.gather(operation.selectionSet)
      let subject = operation.name.map { "The subscription \"\($0.text)\"" } ?? "A subscription without a name"
      if !collector.conditions.isEmpty {
        errors.append(
          context.error("\(subject) must not use @skip or @include on its root fields.", collector.conditions))
      }
      if collector.keys.isEmpty {
        errors.append(context.error("\(subject) must select a root field.", operation.selectionSet.offset))
      }
      if collector.keys.count > 1 {
        errors.append(
          context.error("\(subject) must select only one root field.", collector.keys.dropFirst().map(\.offset)))
      }
      for field in collector.fields where field.name.text.hasPrefix("__") {
        errors.append(context.error("\(subject) must not select a field of introspection at its root.", field.offset))
      }
    }
    return errors
  }

  private struct RootCollector {
    let context: ValidationContext
    let root: String
    var fields: [Field] = []
    var keys: [(key: String, offset: SourceOffset)] = []
    var conditions: [SourceOffset] = []
    private var visited: Set<String> = []

    init(context: ValidationContext, root: String) {
      self.context = context
      self.root = root
    }

    mutating func gather(_ set: SelectionSet) {
      for selection in set.selections {
        conditions += selection.directives.filter { ["skip", "include"].contains($0.name.text) }.map(\.offset)
        switch selection {
        case .field(let field):
          fields.append(field)
          if !keys.contains(where: { $0.key == field.responseKey }) { keys.append((field.responseKey, field.offset)) }
        case .inline(let fragment):
          let condition = fragment.typeCondition?.text ?? root
          if context.schema.isPossible(root, for: condition) { gather(fragment.selectionSet) }
        case .spread(let spread):
          guard visited.insert(spread.name.text).inserted, let index = context.fragmentIndex[spread.name.text],
            context.schema.isPossible(root, for: context.fragments[index].typeCondition.text)
          else { continue }
          gather(context.fragments[index].selectionSet)
        }
      }
    }
  }
}
