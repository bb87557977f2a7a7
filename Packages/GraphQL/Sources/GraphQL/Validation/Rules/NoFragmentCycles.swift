/// No fragment spreads itself, directly or not.
enum NoFragmentCycles: ValidationRule {
  static func check(_ context: ValidationContext) -> [GraphQLError] {
    let base = context.operations.count
    var edges: [[ValidationContext.SpreadUse]] = Array(repeating: [], count: context.fragments.count)
    for use in context.spreads where use.owner >= base { edges[use.owner - base].append(use) }
    var errors: [GraphQLError] = []
    // 0: not seen, 1: on the way, 2: done.
    var state = Array(repeating: 0, count: context.fragments.count)
    for start in context.fragments.indices where state[start] == 0 {
      var way: [(fragment: Int, next: Int)] = [(start, 0)]
      state[start] = 1
      while let top = way.last {
        guard top.next < edges[top.fragment].count else {
          state[top.fragment] = 2
          way.removeLast()
          continue
        }
        way[way.count - 1].next += 1
        let use = edges[top.fragment][top.next]
        guard let target = context.fragmentIndex[use.spread.name.text] else { continue }
        if state[target] == 0 {
          state[target] = 1
          way.append((target, 0))
        } else if state[target] == 1 {
          errors.append(error(target, way.map(\.fragment), edges, way.map { $0.next - 1 }, context))
        }
      }
    }
    return errors
  }

  private static func error(
    _ target: Int, _ way: [Int], _ edges: [[ValidationContext.SpreadUse]], _ taken: [Int], _ context: ValidationContext
  ) -> GraphQLError {
    let from = way.firstIndex(of: target) ?? 0
    let between = way[(from + 1)...].prefix(8).map { "\"\(context.fragments[$0].name.text)\"" }
    let via = between.isEmpty ? "" : " via " + between.joined(separator: ", ")
    let offsets = zip(way[from...], taken[from...]).prefix(8).map { edges[$0][$1].spread.offset }
    return context.error("The fragment \"\(context.fragments[target].name.text)\" spreads itself\(via).", offsets)
  }
}
