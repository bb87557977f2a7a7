/// The comparison of fields of equal response names; see ``OverlappingFieldsCanBeMerged``.
struct FieldMerging {
  private struct Entry {
    let field: Field
    let parent: TypeDefinition?
    let definition: FieldDefinition?
  }

  private let context: ValidationContext
  private(set) var errors: [GraphQLError] = []
  private var steps = 0
  private var shapesDone: Set<[Int32]> = []
  private var parentsDone: Set<[Int32]> = []
  private var path: [String] = []
  private var isReported: Set<[Int32]> = []

  init(_ context: ValidationContext) { self.context = context }

  /// Compares the fields of selection sets, and all fields below them.
  mutating func check(_ sets: [SelectionSet], _ parent: TypeDefinition?) {
    var entries: [Entry] = []
    var visited: Set<Int> = []
    for set in sets { gather(set, parent, &entries, &visited) }
    path = []
    checkShapes(entries)
    checkParents(entries)
  }

  private var isOver: Bool { steps > context.limits.mergingSteps || errors.count >= context.limits.errors }

  /// Counts work; reports the bound once when it is exceeded.
  private mutating func count(_ work: Int) -> Bool {
    if isOver { return false }
    steps += work
    if steps > context.limits.mergingSteps {
      errors.append(
        GraphQLLimits.exceeded(
          "mergingSteps", context.limits.mergingSteps, "The fields of the document take too long to compare."))
      return false
    }
    return true
  }

  private mutating func gather(
    _ set: SelectionSet, _ parent: TypeDefinition?, _ entries: inout [Entry], _ visited: inout Set<Int>
  ) {
    guard count(set.selections.count) else { return }
    for selection in set.selections {
      switch selection {
      case .field(let field):
        entries.append(
          Entry(
            field: field, parent: parent,
            definition: parent.flatMap { context.schema.field(field.name.text, of: $0.name.text) }))
      case .inline(let fragment):
        let type = fragment.typeCondition.map { context.schema.type(named: $0.text) } ?? parent
        gather(fragment.selectionSet, type, &entries, &visited)
      case .spread(let spread):
        guard let index = context.fragmentIndex[spread.name.text], visited.insert(index).inserted else { continue }
        let fragment = context.fragments[index]
        gather(fragment.selectionSet, context.schema.type(named: fragment.typeCondition.text), &entries, &visited)
      }
    }
  }

  /// The fields below a group, merged.
  private mutating func below(_ group: [Entry]) -> [Entry] {
    var entries: [Entry] = []
    var visited: Set<Int> = []
    for entry in group {
      guard let set = entry.field.selectionSet else { continue }
      gather(set, entry.definition.flatMap { context.schema.type(named: $0.type.name.text) }, &entries, &visited)
    }
    return entries
  }

  private func grouped(_ entries: [Entry]) -> [[Entry]] {
    var indexes: [String: Int] = [:]
    var groups: [[Entry]] = []
    for entry in entries {
      let key = entry.field.responseKey
      if let index = indexes[key] {
        groups[index].append(entry)
      } else {
        indexes[key] = groups.count
        groups.append([entry])
      }
    }
    return groups
  }

  /// The set of fields as a key: a field is its place, which also decides its parent.
  private func key(_ entries: [Entry]) -> [Int32] { entries.map(\.field.offset.bytes).sorted() }

  // MARK: Shapes

  private mutating func checkShapes(_ entries: [Entry]) {
    guard count(entries.count), shapesDone.insert(key(entries)).inserted else { return }
    for group in grouped(entries) {
      guard count(group.count) else { return }
      let known = group.filter { $0.definition != nil }
      if let first = known.first, let type = first.definition?.type {
        for other in known.dropFirst() {
          guard let otherType = other.definition?.type, !hasSameShape(type, otherType) else { continue }
          report(first, other, "they have the conflicting types \"\(type)\" and \"\(otherType)\"")
          break
        }
      }
      path.append(group[0].field.responseKey)
      if group.contains(where: { $0.field.selectionSet != nil }) { checkShapes(below(group)) }
      path.removeLast()
    }
  }

  private func hasSameShape(_ left: TypeReference, _ right: TypeReference) -> Bool {
    switch (left, right) {
    case (.nonNull(let one), .nonNull(let two)), (.list(let one), .list(let two)): return hasSameShape(one, two)
    case (.nonNull, _), (_, .nonNull), (.list, _), (_, .list): return false
    case (.named(let one), .named(let two)):
      if one == two { return true }
      guard let first = context.schema.type(named: one.text), let second = context.schema.type(named: two.text) else {
        return true
      }
      return first.kind.isComposite && second.kind.isComposite
    }
  }

  // MARK: Parents

  private mutating func checkParents(_ entries: [Entry]) {
    guard count(entries.count), parentsDone.insert(key(entries)).inserted else { return }
    for group in grouped(entries) {
      for candidates in byParent(group) {
        guard count(candidates.count) else { return }
        let first = candidates[0]
        for other in candidates.dropFirst() {
          if let reason = difference(first, other) {
            report(first, other, reason)
            break
          }
        }
        path.append(first.field.responseKey)
        if candidates.contains(where: { $0.field.selectionSet != nil }) { checkParents(below(candidates)) }
        path.removeLast()
      }
    }
  }

  /// The groups of fields whose parents can be one object: each object type with everything that is no object type.
  private mutating func byParent(_ group: [Entry]) -> [[Entry]] {
    if group.count == 1 { return [group] }
    var common: [Entry] = []
    var names: [String] = []
    var concrete: [String: [Entry]] = [:]
    for entry in group {
      guard let parent = entry.parent, parent.kind == .object else {
        common.append(entry)
        continue
      }
      if concrete[parent.name.text]?.append(entry) == nil {
        names.append(parent.name.text)
        concrete[parent.name.text] = [entry]
      }
    }
    if names.isEmpty { return [common] }
    guard count(names.count * (common.count + 1)) else { return [] }
    return names.map { (concrete[$0] ?? []) + common }
  }

  private func difference(_ left: Entry, _ right: Entry) -> String? {
    let (one, two) = (left.field, right.field)
    if one.name != two.name { return "\"\(one.name.text)\" and \"\(two.name.text)\" are different fields" }
    return [Argument].areSame(one.arguments, two.arguments) ? nil : "they have different arguments"
  }

  private mutating func report(_ left: Entry, _ right: Entry, _ reason: String) {
    let places = [left.field.offset.bytes, right.field.offset.bytes].sorted()
    guard isReported.insert(places).inserted else { return }
    let name = (path + [left.field.responseKey]).joined(separator: ".")
    errors.append(
      context.error(
        "Fields \"\(name)\" conflict because \(reason). Use different aliases to fetch both.", left.field.offset,
        right.field.offset))
  }
}
