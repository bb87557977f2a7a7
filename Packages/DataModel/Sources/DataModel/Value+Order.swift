extension Value {
  /// Compares in the order in which queries sort: negative, zero or positive as this value comes before, with or
  /// after the other.
  ///
  /// Null comes first, then bools, numbers (all kinds by mathematical value, NaN before the others), strings and
  /// binaries by their bytes, dates, object ids, UUIDs, links, and nested collections last. A total order: values
  /// that are equal here may still differ in type, as `1` and `1.0` do.
  ///
  /// - Complexity: O(*n*) for *n* bytes of text or nested elements.
  public func compareInSortOrder(_ other: Value) -> Int {
    let left = sortRank
    let right = other.sortRank
    if left != right { return left < right ? -1 : 1 }
    switch self {
    case .null: return 0
    case .int, .float, .double, .decimal128: return compareNumerically(other) ?? 0
    case .bool(let left): if case .bool(let right) = other { return (left ? 1 : 0) - (right ? 1 : 0) }
    case .string(let left): if case .string(let right) = other { return Self.compareBytes(left.utf8, right.utf8) }
    case .data(let left): if case .data(let right) = other { return Self.compareBytes(left, right) }
    case .timestamp(let left): if case .timestamp(let right) = other { return Self.compare(left, right) }
    case .objectId(let left): if case .objectId(let right) = other { return Self.compare(left, right) }
    case .uuid(let left):
      if case .uuid(let right) = other {
        return withUnsafeBytes(of: left.uuid) { left in
          withUnsafeBytes(of: right.uuid) { right in Self.compareBytes(left, right) }
        }
      }
    case .link(let left):
      if case .link(let right) = other {
        let byClass = Self.compareBytes(left.className.utf8, right.className.utf8)
        return byClass != 0 ? byClass : left.key.compareInSortOrder(right.key)
      }
    case .list(let left): if case .list(let right) = other { return Self.compare(left, right) }
    case .dictionary(let left): if case .dictionary(let right) = other { return left.count - right.count }
    }
    return 0
  }

  private static func compare<T: Comparable>(_ left: T, _ right: T) -> Int { left == right ? 0 : left < right ? -1 : 1 }

  private static func compare(_ left: [Value], _ right: [Value]) -> Int {
    for (left, right) in zip(left, right) {
      let order = left.compareInSortOrder(right)
      if order != 0 { return order }
    }
    return left.count - right.count
  }

  /// Compares two numbers of any kinds by their mathematical value; nil when one is no number.
  ///
  /// Integers meet doubles exactly, without rounding. A double that meets a decimal is first rounded to 15 significant
  /// digits, a float to 7. NaN equals NaN and is below every number.
  public func compareNumerically(_ other: Value) -> Int? {
    switch (number, other.number) {
    case (nil, _), (_, nil): nil
    case (.integer(let left), .integer(let right)): Self.compare(left, right)
    case (.integer(let left), .binary(let right)): Self.compare(left, right)
    case (.binary(let left), .integer(let right)): -Self.compare(right, left)
    case (.binary(let left), .binary(let right)): Self.compareNumbers(left, right)
    case (.decimal(let left), .some): other.asDecimal.map { left.compare($0) }
    case (.some, .decimal(let right)): asDecimal.map { $0.compare(right) }
    }
  }

  /// A number by the way in which it is compared.
  private enum Number {
    case integer(Int64)
    /// Floats are widened, which is exact.
    case binary(Double)
    case decimal(Decimal128)
  }

  private var number: Number? {
    switch self {
    case .int(let value): .integer(value)
    case .float(let value): .binary(Double(value))
    case .double(let value): .binary(value)
    case .decimal128(let value): .decimal(value)
    case .null, .bool, .string, .data, .timestamp, .objectId, .uuid, .link, .list, .dictionary: nil
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
    case .null, .bool, .string, .data, .timestamp, .objectId, .uuid, .link, .list, .dictionary: nil
    }
  }

  /// NaN equals NaN and is below every number.
  private static func compareNumbers(_ left: Double, _ right: Double) -> Int {
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
    if let value { return other.value.map { value.compareInSortOrder($0) } ?? -1 }
    guard case .global(let left) = self, case .global(let right) = other else { return 1 }
    return left == right ? 0 : left < right ? -1 : 1
  }
}
