import DataModel

/// Comparisons of a decimal or mixed property with constants, which no column condition states.
extension PlanComparison {
  /// Lookups of which one finds every value for which the comparison holds, or its negation; nil when there are none.
  ///
  /// A mixed property is looked up for texts, bytes, dates, truth values and ids. Not for numbers: a double equals a
  /// decimal after rounding, so numbers that equal one number need not equal each other, and no key stands for them.
  func lookups(isNegated: Bool) -> [PropertyLookup]? {
    if let (property, type) = Self.property(left) { return lookups(property, type, operation, right, isNegated) }
    if let (property, type) = Self.property(right), let mirrored = Planner.mirrored(operation) {
      return lookups(property, type, mirrored, left, isNegated)
    }
    return nil
  }

  /// The decimal or mixed property of the object itself that a side reads.
  private static func property(_ side: PlanSide) -> (property: Int, type: ValueType)? {
    guard let path = side.path, side.quantifier == nil, path.hops.isEmpty, path.steps.isEmpty, !path.takesLength,
      case .scalar(let property, let type) = path.leaf, type == .decimal || type == .mixed
    else { return nil }
    return (property, type)
  }

  private func lookups(
    _ property: Int, _ type: ValueType, _ operation: ComparisonOperation, _ other: PlanSide, _ isNegated: Bool
  ) -> [PropertyLookup]? {
    guard !options.contains(.diacriticInsensitive), let keys = keys(other, type) else { return nil }
    let folds = options.contains(.caseInsensitive)
    func lookup(_ test: PropertyLookup.Test) -> PropertyLookup {
      PropertyLookup(property: property, foldsCase: folds, test)
    }
    let isEquality = isNegated ? operation == .notEqual : operation == .equal || operation == .in
    if isEquality { return keys.map { lookup(.equal($0)) } }
    guard !isNegated, keys.count == 1, case .constant = other.expression else { return nil }
    switch (operation, keys[0]) {
    case (.less, let key): return [lookup(.range(lower: nil, upper: .init(key, isInclusive: false)))]
    case (.lessOrEqual, let key): return [lookup(.range(lower: nil, upper: .init(key, isInclusive: true)))]
    case (.greater, let key): return [lookup(.range(lower: .init(key, isInclusive: false), upper: nil))]
    case (.greaterOrEqual, let key): return [lookup(.range(lower: .init(key, isInclusive: true), upper: nil))]
    case (.beginsWith, .bytes(let prefix)): return prefix.isEmpty ? nil : [lookup(.prefix(prefix))]
    case (.equal, _), (.notEqual, _), (.in, _), (.beginsWith, _), (.endsWith, _), (.contains, _), (.like, _),
      (.text, _):
      return nil
    }
  }

  /// The keys of a constant, or of a list of which one has to be met; nil when one has no key.
  private func keys(_ side: PlanSide, _ type: ValueType) -> [LookupKey]? {
    switch side.expression {
    case .constant(let value): return key(value, type).map { [$0] }
    case .list(let values):
      guard side.quantifier == nil || side.quantifier == .any, operation == .equal || operation == .in else {
        return nil
      }
      let keys = values.map { key($0, type) }
      return keys.contains(nil) ? nil : keys.compactMap { $0 }
    case .path, .count, .type, .aggregate, .subquery, .arithmetic: return nil
    }
  }

  private func key(_ value: Value, _ type: ValueType) -> LookupKey? {
    if ValueComparison.isNull(value) { return .null }
    if type == .decimal { return value.asDecimal.flatMap { LookupKey(.decimal128($0)) } }
    if value.asDecimal != nil { return nil }
    return LookupKey(value, foldsCase: options.contains(.caseInsensitive))
  }
}
