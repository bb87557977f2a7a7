import DataModel

/// Rewrites a resolved predicate into one that means the same and runs faster.
///
/// Comparisons of one property with constants become column conditions, conditions behind a single link become
/// conditions on the linked class, and alternatives of equalities become one look-up in a set.
enum Planner {
  static func optimized(_ predicate: PlanPredicate) -> PlanPredicate {
    switch predicate {
    case .always, .text, .geoWithin, .column: return predicate
    case .link(let property, let target, let inner, let whenNull):
      return .link(property: property, target: target, optimized(inner), whenNull: whenNull)
    case .not(let inner):
      switch optimized(inner) {
      case .always(let value): return .always(!value)
      case .not(let twice): return twice
      case let other: return .not(other)
      }
    case .and(let parts): return conjunction(parts.map(optimized))
    case .or(let parts): return disjunction(parts.map(optimized))
    case .comparison(let comparison): return optimized(comparison)
    case .between(let side, let low, let high):
      let parts = [
        PlanComparison(
          left: side, operation: .greaterOrEqual, options: [],
          right: PlanSide(expression: .constant(low), type: side.type)),
        PlanComparison(
          left: side, operation: .lessOrEqual, options: [],
          right: PlanSide(expression: .constant(high), type: side.type)),
      ]
      guard !side.isList else { return predicate }
      return conjunction(parts.map(optimized))
    }
  }

  // MARK: AND and OR

  private static func conjunction(_ parts: [PlanPredicate]) -> PlanPredicate {
    var kept: [PlanPredicate] = []
    for part in parts {
      switch part {
      case .always(true): continue
      case .always(false): return part
      case .and(let inner): kept += inner
      case .or, .not, .comparison, .between, .text, .geoWithin, .column, .link: kept.append(part)
      }
    }
    kept = mergedRanges(kept)
    if kept.isEmpty { return .always(true) }
    return kept.count == 1 ? kept[0] : .and(kept)
  }

  /// Two ranges over the same integer property become one.
  private static func mergedRanges(_ parts: [PlanPredicate]) -> [PlanPredicate] {
    var positions: [Int: Int] = [:]
    var kept: [PlanPredicate] = []
    for part in parts {
      if case .column(var condition) = part, case .integers(let range) = condition.test, !condition.isNegated,
        !condition.matchesNull
      {
        if let position = positions[condition.property], case .column(let other) = kept[position],
          case .integers(let first) = other.test
        {
          let low = max(range.lowerBound, first.lowerBound)
          let high = min(range.upperBound, first.upperBound)
          condition.test = low <= high ? .integers(low...high) : .nothing
          if low > high { return [.always(false)] }
          kept[position] = .column(condition)
          continue
        }
        positions[condition.property] = kept.count
      }
      kept.append(part)
    }
    return kept
  }

  private static func disjunction(_ parts: [PlanPredicate]) -> PlanPredicate {
    var kept: [PlanPredicate] = []
    var sets: [Int: (name: String, integers: [Int64], bytes: [[UInt8]], matchesNull: Bool, position: Int, parts: Int)] =
      [:]
    for part in parts {
      switch part {
      case .always(false): continue
      case .always(true): return part
      case .or(let inner):
        kept += inner
        continue
      case .and, .not, .comparison, .between, .text, .geoWithin, .column, .link: break
      }
      guard case .column(let condition) = part, !condition.isNegated, let (integers, bytes) = elements(condition.test)
      else {
        kept.append(part)
        continue
      }
      if sets[condition.property] == nil {
        sets[condition.property] = (condition.name, [], [], false, kept.count, 0)
        kept.append(part)
      }
      sets[condition.property]?.parts += 1
      sets[condition.property]?.integers += integers
      sets[condition.property]?.bytes += bytes
      if condition.matchesNull { sets[condition.property]?.matchesNull = true }
    }
    for (property, set) in sets where set.parts > 1 {
      let test: ColumnTest = set.bytes.isEmpty ? .integerSet(Set(set.integers)) : .bytesSet(BytesSet(set.bytes))
      kept[set.position] = .column(
        ColumnCondition(property: property, name: set.name, test: test, matchesNull: set.matchesNull))
    }
    if kept.isEmpty { return .always(false) }
    return kept.count == 1 ? kept[0] : .or(kept)
  }

  /// The values that a test for equality accepts; nil for other tests.
  private static func elements(_ test: ColumnTest) -> ([Int64], [[UInt8]])? {
    switch test {
    case .integers(let range): range.lowerBound == range.upperBound ? ([range.lowerBound], []) : nil
    case .integerSet(let set): (Array(set), [])
    case .bytes(let test): test.operation == .equal && !test.folds ? ([], [test.needle]) : nil
    case .bytesSet(let set): ([], set.values)
    case .nothing, .doubles, .bool, .timestamps, .doubleSet, .decimalSet, .timestampSet, .links: nil
    }
  }

  // MARK: Comparisons

  private static func optimized(_ comparison: PlanComparison) -> PlanPredicate {
    let original = PlanPredicate.comparison(comparison)
    if let path = comparison.left.path, comparison.left.quantifier == nil {
      return condition(path, comparison.operation, comparison.options, comparison.right) ?? original
    }
    if let path = comparison.right.path, comparison.right.quantifier == nil,
      let operation = mirrored(comparison.operation)
    {
      return condition(path, operation, comparison.options, comparison.left) ?? original
    }
    return original
  }

  /// The operation with its sides exchanged; nil when there is none.
  static func mirrored(_ operation: ComparisonOperation) -> ComparisonOperation? {
    switch operation {
    case .equal, .notEqual: operation
    case .less: .greater
    case .lessOrEqual: .greaterOrEqual
    case .greater: .less
    case .greaterOrEqual: .lessOrEqual
    case .in, .beginsWith, .endsWith, .contains, .like, .text: nil
    }
  }

  private static func condition(
    _ path: ResolvedPath, _ operation: ComparisonOperation, _ options: ComparisonOptions, _ other: PlanSide
  ) -> PlanPredicate? {
    guard !path.isList, path.steps.isEmpty, !path.takesLength else { return nil }
    guard let hop = path.hops.first else { return column(path, operation, options, other) }
    guard case .link(let property, let target) = hop else { return nil }
    if path.hops.count == 1, path.leaf == .objects {
      return ConditionBuilder(property: property, name: path.written, type: .link(target), options: options)
        .predicate(operation, other)
    }
    guard let inner = condition(path.droppingFirstHop, operation, options, other),
      let whenNull = ConditionBuilder.holdsForNull(operation, options, other)
    else { return nil }
    if case .always(let value) = inner, value == whenNull { return inner }
    return .link(property: property, target: target, inner, whenNull: whenNull)
  }

  private static func column(
    _ path: ResolvedPath, _ operation: ComparisonOperation, _ options: ComparisonOptions, _ other: PlanSide
  ) -> PlanPredicate? {
    guard case .scalar(let property, let type) = path.leaf else { return nil }
    return ConditionBuilder(property: property, name: path.written, type: type, options: options)
      .predicate(operation, other)
  }
}
