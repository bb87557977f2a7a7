import QueryLanguage

/// An interval of keys whose ends may be open, with the two orders that a tree of intervals needs.
struct KeyRange: Sendable {
  var lower: PropertyLookup.Bound?
  var upper: PropertyLookup.Bound?

  /// Whether the interval begins at or below a key.
  func begins(by key: LookupKey) -> Bool {
    guard let lower else { return true }
    return lower.key < key || lower.isInclusive && lower.key == key
  }

  /// Whether the interval ends at or above a key.
  func reaches(_ key: LookupKey) -> Bool {
    guard let upper else { return true }
    return key < upper.key || upper.isInclusive && upper.key == key
  }

  /// Negative, zero or positive as this interval begins before, with or after another.
  func compareLower(_ other: KeyRange) -> Int {
    switch (lower, other.lower) {
    case (nil, nil): 0
    case (nil, _): -1
    case (_, nil): 1
    case (let one?, let two?): Self.compare(one, two, inclusive: -1)
    }
  }

  /// Negative, zero or positive as this interval ends before, with or after another.
  func compareUpper(_ other: KeyRange) -> Int {
    switch (upper, other.upper) {
    case (nil, nil): 0
    case (nil, _): 1
    case (_, nil): -1
    case (let one?, let two?): Self.compare(one, two, inclusive: 1)
    }
  }

  /// - Parameter inclusive: the sign of an inclusive end beside an exclusive one at the same key.
  private static func compare(_ one: PropertyLookup.Bound, _ two: PropertyLookup.Bound, inclusive: Int) -> Int {
    if one.key < two.key { return -1 }
    if two.key < one.key { return 1 }
    return one.isInclusive == two.isInclusive ? 0 : one.isInclusive ? inclusive : -inclusive
  }
}
