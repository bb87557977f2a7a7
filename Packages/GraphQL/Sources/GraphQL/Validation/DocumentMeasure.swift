/// Measures depth and aliases with fragments counted where they are spread. Each fragment is measured once.
struct DocumentMeasure {
  private struct Size {
    var depth = 0
    var aliases = 0
  }

  private let context: ValidationContext
  private var fragments: [Int: Size] = [:]
  private var level = 0
  private var isTooDeep = false

  /// The bound that the document exceeds. The document has no cycles of fragments.
  static func refusal(_ context: ValidationContext) -> GraphQLError? {
    var measure = Self(context: context)
    let limits = context.limits
    for operation in context.operations {
      let size = measure.size(operation.selectionSet)
      let locations = [context.document.source.location(of: operation.offset)]
      if measure.isTooDeep || size.depth > limits.depth {
        return GraphQLLimits.exceeded(
          "depth", limits.depth, "The operation is nested more than \(limits.depth) levels deep.",
          locations: locations)
      }
      if size.aliases > limits.aliases {
        return GraphQLLimits.exceeded(
          "aliases", limits.aliases, "The operation has \(size.aliases) aliases, more than \(limits.aliases).",
          locations: locations)
      }
    }
    // Fragments that nobody spreads are walked by other rules, too.
    for fragment in context.fragments { _ = measure.size(fragment.selectionSet) }
    guard measure.isTooDeep else { return nil }
    return GraphQLLimits.exceeded(
      "depth", limits.depth, "The document is nested more than \(limits.depth) levels deep.")
  }

  private init(context: ValidationContext) { self.context = context }

  private mutating func size(_ set: SelectionSet) -> Size {
    guard level <= context.limits.depth else {
      isTooDeep = true
      return Size()
    }
    level += 1
    defer { level -= 1 }
    var sum = Size()
    for selection in set.selections where !isTooDeep {
      let part: Size
      switch selection {
      case .field(let field):
        var size = field.selectionSet.map { self.size($0) } ?? Size()
        if field.alias != nil { size.aliases = Self.add(size.aliases, 1) }
        part = size
      case .inline(let fragment): part = size(fragment.selectionSet)
      case .spread(let spread): part = size(ofFragment: spread.name.text)
      }
      sum.depth = max(sum.depth, part.depth)
      sum.aliases = Self.add(sum.aliases, part.aliases)
    }
    sum.depth += 1
    return sum
  }

  private mutating func size(ofFragment name: String) -> Size {
    guard let index = context.fragmentIndex[name] else { return Size() }
    if let known = fragments[index] {
      if level + known.depth > context.limits.depth + 1 { isTooDeep = true }
      return known
    }
    let size = size(context.fragments[index].selectionSet)
    fragments[index] = size
    return size
  }

  private static func add(_ left: Int, _ right: Int) -> Int {
    let (sum, overflow) = left.addingReportingOverflow(right)
    return overflow ? .max : sum
  }
}
