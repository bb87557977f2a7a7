extension Value {
  /// Compares in the order in which queries sort: negative, zero or positive as this value comes before, with or
  /// after the other.
  ///
  /// Null comes first, then bools, numbers (all kinds by mathematical value, NaN before the others), strings and
  /// binaries by their bytes, dates, object ids, UUIDs, links, and nested collections last. A total order: values
  /// that are equal here may still differ in type, as `1` and `1.0` do.
  public func compareInSortOrder(_ other: Value) -> Int {
    let left = sortRank
    let right = other.sortRank
    if left != right { return left < right ? -1 : 1 }
    switch (self, other) {
    case (.bool(let left), .bool(let right)): return (left ? 1 : 0) - (right ? 1 : 0)
    case (.string(let left), .string(let right)): return Self.compareBytes(left.utf8, right.utf8)
    case (.data(let left), .data(let right)): return Self.compareBytes(left, right)
    case (.timestamp(let left), .timestamp(let right)): return left == right ? 0 : left < right ? -1 : 1
    case (.objectId(let left), .objectId(let right)): return left == right ? 0 : left < right ? -1 : 1
    case (.uuid(let left), .uuid(let right)):
      return withUnsafeBytes(of: left.uuid) { left in
        withUnsafeBytes(of: right.uuid) { right in Self.compareBytes(left, right) }
      }
    case (.link(let left), .link(let right)):
      let byClass = Self.compareBytes(left.className.utf8, right.className.utf8)
      return byClass != 0 ? byClass : left.key.compareInSortOrder(right.key)
    case (.list(let left), .list(let right)):
      for (left, right) in zip(left, right) {
        let order = left.compareInSortOrder(right)
        if order != 0 { return order }
      }
      return left.count - right.count
    case (.dictionary(let left), .dictionary(let right)): return left.count - right.count
    default: return compareNumerically(other) ?? 0
    }
  }

  /// Compares two numbers of any kinds by their mathematical value; nil when one is no number.
  ///
  /// Integers meet doubles exactly, without rounding. A double that meets a decimal is first rounded to 15 significant
  /// digits, a float to 7. NaN equals NaN and is below every number.
  public func compareNumerically(_ other: Value) -> Int? {
    switch (self, other) {
    case (.int(let left), .int(let right)): left == right ? 0 : left < right ? -1 : 1
    case (.int(let left), .double(let right)): Self.compare(left, right)
    case (.int(let left), .float(let right)): Self.compare(left, Double(right))
    case (.double(let left), .int(let right)): -Self.compare(right, left)
    case (.float(let left), .int(let right)): -Self.compare(right, Double(left))
    case (.double(let left), .double(let right)): Self.compare(left, right)
    case (.double(let left), .float(let right)): Self.compare(left, Double(right))
    case (.float(let left), .double(let right)): Self.compare(Double(left), right)
    case (.float(let left), .float(let right)): Self.compare(Double(left), Double(right))
    case (.decimal128(let left), _): other.asDecimal.map { left.compare($0) }
    case (_, .decimal128(let right)): asDecimal.map { $0.compare(right) }
    default: nil
    }
  }

  /// The number as a decimal: integers exactly, doubles with 15 and floats with 7 significant digits; nil for other
  /// values.
  public var asDecimal: Decimal128? {
    switch self {
    case .int(let value): Decimal128(value)
    case .double(let value): Decimal128(value)
    case .float(let value): Decimal128(value)
    case .decimal128(let value): value
    default: nil
    }
  }

  private static func compare(_ left: Double, _ right: Double) -> Int {
    if left < right { return -1 }
    if left > right { return 1 }
    if left == right { return 0 }
    return (left.isNaN ? 0 : 1) - (right.isNaN ? 0 : 1)
  }

  /// Compares without rounding the integer.
  private static func compare(_ left: Int64, _ right: Double) -> Int {
    if right.isNaN || right < -0x1p63 { return 1 }
    if right >= 0x1p63 { return -1 }
    let whole = right.rounded(.towardZero)
    let integer = Int64(whole)
    if left != integer { return left < integer ? -1 : 1 }
    return right == whole ? 0 : right > whole ? -1 : 1
  }

  private static func compareBytes(_ left: some Sequence<UInt8>, _ right: some Sequence<UInt8>) -> Int {
    var right = right.makeIterator()
    for byte in left {
      guard let other = right.next() else { return 1 }
      if byte != other { return byte < other ? -1 : 1 }
    }
    return right.next() == nil ? 0 : -1
  }

  private var sortRank: Int {
    switch self {
    case .null: 0
    case .bool: 1
    case .int, .float, .double, .decimal128: 2
    case .string: 3
    case .data: 4
    case .timestamp: 5
    case .objectId: 6
    case .uuid: 7
    case .link: 8
    case .list: 9
    case .dictionary: 10
    }
  }
}

extension ObjectKey {
  /// Compares keys in the order of their values; keys without a value come last.
  func compareInSortOrder(_ other: ObjectKey) -> Int {
    switch (self, other) {
    case (.global(let left), .global(let right)): left == right ? 0 : left < right ? -1 : 1
    case (.global, _): 1
    case (_, .global): -1
    default: (value ?? .null).compareInSortOrder(other.value ?? .null)
    }
  }
}
