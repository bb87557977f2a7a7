import DataModel

extension ObjectFilter {
  /// Lookups of which at least one finds a value of every object that satisfies the filter: the way to keep filters in
  /// an index over values. An object that none of them finds is no match; for one that some of them find, only
  /// ``holds(for:)`` tells.
  ///
  /// Of conditions joined by AND the most selective by itself stands for all of them, of those joined by OR each has
  /// its own, so nothing is multiplied out and the list is no longer than the query and its lists of constants. Empty
  /// when no object can match; nil when no such list exists, and the filter has to be asked about each object.
  ///
  /// - Complexity: O(*n*) for *n* nodes of the predicate and constants in its lists.
  public var lookups: [PropertyLookup]? { Self.lookups(predicate, isNegated: false) }

  private static func lookups(_ predicate: PlanPredicate, isNegated: Bool) -> [PropertyLookup]? {
    switch predicate {
    case .always(let value): return value == isNegated ? [] : nil
    case .not(let inner): return lookups(inner, isNegated: !isNegated)
    case .and(let parts):
      let each = parts.map { lookups($0, isNegated: isNegated) }
      return isNegated ? anyOf(each) : bestOf(each)
    case .or(let parts):
      let each = parts.map { lookups($0, isNegated: isNegated) }
      return isNegated ? bestOf(each) : anyOf(each)
    case .column(var condition):
      if isNegated {
        condition.isNegated.toggle()
        condition.matchesNull.toggle()
      }
      return condition.lookups
    case .comparison(let comparison): return comparison.lookups(isNegated: isNegated)
    case .between, .text, .geoWithin, .link: return nil
    }
  }

  /// Alternatives: all lists together, when each exists.
  private static func anyOf(_ lists: [[PropertyLookup]?]) -> [PropertyLookup]? {
    var all: [PropertyLookup] = []
    for list in lists {
      guard let list else { return nil }
      all += list
    }
    return all
  }

  /// Conditions of which all hold: the list that finds least. Ranges over one property become one range first.
  private static func bestOf(_ lists: [[PropertyLookup]?]) -> [PropertyLookup]? {
    var candidates: [[PropertyLookup]] = []
    var ranges: [Int: PropertyLookup] = [:]
    for case let list? in lists {
      if list.count == 1, let lookup = list.first, case .range = lookup.test, !lookup.foldsCase {
        ranges[lookup.property] = ranges[lookup.property].map { lookup.intersected(with: $0) } ?? lookup
      } else {
        candidates.append(list)
      }
    }
    candidates += ranges.values.sorted { $0.property < $1.property }.map { [$0] }
    func share(_ list: [PropertyLookup]) -> Double { list.reduce(0) { $0 + $1.expectedShare } }
    return candidates.map { ($0, share($0)) }.min { $0.1 < $1.1 }?.0
  }
}

extension PropertyLookup {
  /// The range of the keys that both ranges hold; this lookup itself when the other is no range.
  func intersected(with other: PropertyLookup) -> PropertyLookup {
    guard case .range(let lower, let upper) = test, case .range(let otherLower, let otherUpper) = other.test else {
      return self
    }
    func tighter(_ one: Bound?, _ two: Bound?, _ isTighter: (LookupKey, LookupKey) -> Bool) -> Bound? {
      guard let one, let two else { return one ?? two }
      if one.key == two.key { return one.isInclusive ? two : one }
      return isTighter(one.key, two.key) ? one : two
    }
    var copy = self
    copy.test = .range(lower: tighter(lower, otherLower, >), upper: tighter(upper, otherUpper, <))
    return copy
  }
}
