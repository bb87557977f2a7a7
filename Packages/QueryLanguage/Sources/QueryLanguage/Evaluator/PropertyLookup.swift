public import DataModel

/// One question to an index over the values of a property: equal to a key, between two keys, or with a prefix.
public struct PropertyLookup: Hashable, Sendable {
  /// The position of the property in its class.
  public var property: Int
  /// Whether the index holds keys with folded letters, see ``LookupKey/init(_:foldsCase:)``.
  public var foldsCase: Bool
  /// The keys that it finds.
  public var test: Test

  /// The keys that a lookup finds.
  public enum Test: Hashable, Sendable {
    /// This one, null included.
    case equal(LookupKey)
    /// Those between the bounds, null excluded; a nil bound is open.
    case range(lower: Bound?, upper: Bound?)
    /// Those whose bytes begin with these.
    case prefix([UInt8])
  }

  /// One end of a range.
  public struct Bound: Hashable, Sendable {
    /// The key at the end of the range.
    public var key: LookupKey
    /// Whether the key itself belongs to the range.
    public var isInclusive: Bool

    /// A bound.
    public init(_ key: LookupKey, isInclusive: Bool) {
      self.key = key
      self.isInclusive = isInclusive
    }
  }

  /// A lookup over one property.
  public init(property: Int, foldsCase: Bool = false, _ test: Test) {
    self.property = property
    self.foldsCase = foldsCase
    self.test = test
  }

  /// Whether the value of a property is among those found. O(*n*) for *n* bytes of the value.
  public func finds(_ value: Value) -> Bool {
    guard let key = LookupKey(value, foldsCase: foldsCase) else { return false }
    switch test {
    case .equal(let wanted): return key == wanted
    case .range(let lower, let upper):
      if key == .null { return false }
      if let lower, key < lower.key || !lower.isInclusive && key == lower.key { return false }
      if let upper, key > upper.key || !upper.isInclusive && key == upper.key { return false }
      return true
    case .prefix(let prefix):
      return if case .bytes(let bytes) = key { bytes.starts(with: prefix) } else { false }
    }
  }

  /// A guess at the share of objects that the lookup finds: it ranks lookups, nothing more.
  var expectedShare: Double {
    switch test {
    case .equal(.null): 1 / 8
    case .equal(.bool): 1 / 2
    case .equal: 1 / 1_024
    case .prefix(let bytes): 1 / Double(8 << min(bytes.count, 6))
    case .range(.some, .some): 1 / 8
    case .range: 3 / 8
    }
  }
}
