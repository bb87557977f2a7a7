public import DataModel

/// A value as an index holds it.
///
/// Of two values of one property, neither of them NaN, a query finds them equal exactly when their keys are equal, and
/// one below the other exactly when its key is below the other and neither is null. Keys of different kinds compare by
/// kind, which no query does.
public enum LookupKey: Hashable, Sendable {
  /// Null, which equals itself only.
  case null
  /// A truth value.
  case bool(Bool)
  /// An integer.
  case int(Int64)
  /// A float or double, by value: the two zeros are equal. Never NaN.
  case double(Double)
  /// A decimal, by value. Never NaN.
  case decimal(Decimal128)
  /// A point in time.
  case date(Timestamp)
  /// A string, binary, object id or UUID, by its bytes.
  case bytes([UInt8])

  /// The key of a value.
  ///
  /// - Parameter foldsCase: whether letters fold as comparisons with `[c]` fold them.
  /// - Returns: nil for NaN, links and collections, which no lookup finds.
  /// - Complexity: O(*n*) for *n* bytes of the value.
  public init?(_ value: Value, foldsCase: Bool = false) {
    let options: ComparisonOptions = foldsCase ? .caseInsensitive : []
    switch value {
    case .null: self = .null
    case .bool(let flag): self = .bool(flag)
    case .int(let number): self = .int(number)
    case .float(let number):
      if number.isNaN { return nil }
      self = .double(Double(number))
    case .double(let number):
      if number.isNaN { return nil }
      self = .double(number)
    case .decimal128(let number):
      if number.isNaN { return nil }
      self = .decimal(number)
    case .timestamp(let time): self = .date(time)
    case .string(let text): self = .bytes(CaseFolding.bytes(of: text, options))
    case .data(let data): self = .bytes(CaseFolding.bytes(of: data, options))
    case .objectId, .uuid:
      guard let bytes = ColumnBytes.of(value) else { return nil }
      self = .bytes(bytes)
    case .link, .list, .dictionary: return nil
    }
  }

  private var kind: Int {
    switch self {
    case .null: 0
    case .bool: 1
    case .int: 2
    case .double: 3
    case .decimal: 4
    case .date: 5
    case .bytes: 6
    }
  }
}

extension LookupKey: Comparable {
  /// Whether the left key comes first: in the order of the language within one kind, otherwise by kind. A total order.
  public static func < (left: LookupKey, right: LookupKey) -> Bool {
    switch (left, right) {
    case (.bool(let left), .bool(let right)): !left && right
    case (.int(let left), .int(let right)): left < right
    case (.double(let left), .double(let right)): left < right
    case (.decimal(let left), .decimal(let right)): left < right
    case (.date(let left), .date(let right)): left < right
    case (.bytes(let left), .bytes(let right)): left.lexicographicallyPrecedes(right)
    default: left.kind < right.kind
    }
  }
}
