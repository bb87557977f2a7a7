import DataModel

extension ColumnCondition {
  /// The lookups of which one finds a value exactly when the condition holds for it; nil when there are none.
  var lookups: [PropertyLookup]? {
    guard !isNegated, var found = test.lookups(property) else { return nil }
    if matchesNull { found.append(PropertyLookup(property: property, .equal(.null))) }
    return found
  }
}

extension ColumnTest {
  /// The lookups that find the values that pass; nil when there are none.
  fileprivate func lookups(_ property: Int) -> [PropertyLookup]? {
    func equal(_ key: LookupKey) -> PropertyLookup { PropertyLookup(property: property, .equal(key)) }
    func range(_ lower: PropertyLookup.Bound?, _ upper: PropertyLookup.Bound?) -> [PropertyLookup] {
      [PropertyLookup(property: property, .range(lower: lower, upper: upper))]
    }
    switch self {
    case .nothing: return []
    case .integers(let bounds):
      let (low, high) = (bounds.lowerBound, bounds.upperBound)
      if low == high { return [equal(.int(low))] }
      return range(
        low == .min ? nil : .init(.int(low), isInclusive: true),
        high == .max ? nil : .init(.int(high), isInclusive: true))
    case .doubles(let low, let high):
      if low == high { return [equal(.double(low))] }
      guard low < high else { return [] }
      return range(
        low == -.infinity ? nil : .init(.double(low), isInclusive: true),
        high == .infinity ? nil : .init(.double(high), isInclusive: true))
    case .bool(let flag): return [equal(.bool(flag))]
    case .bytes(let test): return test.lookups(property)
    case .timestamps(let low, let lowIsInclusive, let high, let highIsInclusive):
      if let low, low == high, lowIsInclusive, highIsInclusive { return [equal(.date(low))] }
      return range(
        low.map { .init(.date($0), isInclusive: lowIsInclusive) },
        high.map { .init(.date($0), isInclusive: highIsInclusive) })
    case .integerSet(let set): return set.sorted().map { equal(.int($0)) }
    case .bytesSet(let set): return set.values.map { equal(.bytes($0)) }
    case .doubleSet(let set):
      let numbers = set.sorted().map { Double(bitPattern: $0) }
      return numbers.contains(where: \.isNaN) ? nil : numbers.map { equal(.double($0)) }
    case .decimalSet(let set):
      return set.contains(where: \.isNaN) ? nil : set.sorted().map { equal(.decimal($0)) }
    case .timestampSet(let set): return set.sorted().map { equal(.date($0)) }
    case .links: return nil
    }
  }
}

extension BytesTest {
  /// The lookups that find the byte strings that pass; nil when there are none.
  fileprivate func lookups(_ property: Int) -> [PropertyLookup]? {
    func lookup(_ test: PropertyLookup.Test) -> [PropertyLookup] {
      [PropertyLookup(property: property, foldsCase: folds, test)]
    }
    let key = LookupKey.bytes(needle)
    return switch operation {
    case .equal: lookup(.equal(key))
    case .less: lookup(.range(lower: nil, upper: .init(key, isInclusive: false)))
    case .lessOrEqual: lookup(.range(lower: nil, upper: .init(key, isInclusive: true)))
    case .greater: lookup(.range(lower: .init(key, isInclusive: false), upper: nil))
    case .greaterOrEqual: lookup(.range(lower: .init(key, isInclusive: true), upper: nil))
    case .beginsWith: needle.isEmpty ? nil : lookup(.prefix(needle))
    case .endsWith, .contains, .like: nil
    }
  }
}
