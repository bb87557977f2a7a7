import DataModel

/// Compares two single values as the operators of the language do, null and mixed kinds included.
enum ValueComparison {
  static func holds(
    _ left: Value, _ operation: ComparisonOperation, _ right: Value, _ options: ComparisonOptions,
    needleIsLiteral: Bool
  ) -> Bool {
    switch operation {
    case .equal, .in: equal(left, right, options)
    case .notEqual: !equal(left, right, options)
    case .less, .lessOrEqual, .greater, .greaterOrEqual: related(left, operation, right)
    case .beginsWith, .endsWith, .contains, .like:
      matches(left, operation, right, options, needleIsLiteral: needleIsLiteral)
    case .text: false  // TEXT has a plan of its own.
    }
  }

  /// Whether two values are equal: null to null, numbers by value, NaN to NaN.
  static func equal(_ left: Value, _ right: Value, _ options: ComparisonOptions) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.int(let left), .int(let right)): left == right
    case (.bool(let left), .bool(let right)): left == right
    case (.string(let left), .string(let right)):
      options == []
        ? left.utf8.elementsEqual(right.utf8)
        : CaseFolding.bytes(of: left, options) == CaseFolding.bytes(of: right, options)
    case (.data(let left), .data(let right)):
      options == [] ? left == right : CaseFolding.bytes(of: left, options) == CaseFolding.bytes(of: right, options)
    case (.timestamp(let left), .timestamp(let right)): left == right
    case (.objectId(let left), .objectId(let right)): left == right
    case (.uuid(let left), .uuid(let right)): left == right
    case (.link(let left), .link(let right)): left == right
    case (.list(let left), .list(let right)):
      left.count == right.count && zip(left, right).allSatisfy { equal($0, $1, options) }
    case (.dictionary(let left), .dictionary(let right)):
      left.count == right.count
        && left.allSatisfy { key, value in right[key].map { equal(value, $0, options) } ?? false }
    default: left.compareNumerically(right) == 0
    }
  }

  /// `<`, `<=`, `>` and `>=`; false for every other operation.
  static func related(_ left: Value, _ operation: ComparisonOperation, _ right: Value) -> Bool {
    if isNull(left) || isNull(right) {
      return isNull(left) && isNull(right) && (operation == .lessOrEqual || operation == .greaterOrEqual)
    }
    guard let order = order(left, right) else { return false }
    return switch operation {
    case .less: order < 0
    case .lessOrEqual: order <= 0
    case .greater: order > 0
    case .greaterOrEqual: order >= 0
    case .equal, .notEqual, .in, .beginsWith, .endsWith, .contains, .like, .text: false
    }
  }

  /// The order of two values that are not null; nil when they have none.
  static func order(_ left: Value, _ right: Value) -> Int? {
    if isNaN(left) || isNaN(right) { return nil }
    switch (left, right) {
    case (.bool, .bool), (.string, .string), (.data, .data), (.timestamp, .timestamp), (.objectId, .objectId),
      (.uuid, .uuid):
      return left.compareInSortOrder(right)
    default: return left.compareNumerically(right)
    }
  }

  static func isNull(_ value: Value) -> Bool { if case .null = value { true } else { false } }

  static func isNaN(_ value: Value) -> Bool {
    switch value {
    case .double(let number): number.isNaN
    case .float(let number): number.isNaN
    case .decimal128(let number): number.isNaN
    case .null, .int, .bool, .string, .data, .timestamp, .objectId, .uuid, .link, .list, .dictionary: false
    }
  }

  /// BEGINSWITH, ENDSWITH, CONTAINS and LIKE; false for every other operation.
  static func matches(
    _ haystack: Value, _ operation: ComparisonOperation, _ needle: Value, _ options: ComparisonOptions,
    needleIsLiteral: Bool
  ) -> Bool {
    if isNull(needle) {
      if operation == .like { return isNull(haystack) }
      return needleIsLiteral
    }
    let text: [UInt8]
    let pattern: [UInt8]
    let isText: Bool
    if case .string(let left) = haystack, case .string(let right) = needle {
      text = CaseFolding.bytes(of: left, options)
      pattern = CaseFolding.bytes(of: right, options)
      isText = true
    } else if case .data(let left) = haystack, case .data(let right) = needle {
      text = CaseFolding.bytes(of: left, options)
      pattern = CaseFolding.bytes(of: right, options)
      isText = false
    } else {
      return false
    }
    return switch operation {
    case .beginsWith: text.starts(with: pattern)
    case .endsWith: ByteMatching.hasSuffix(text, pattern)
    case .contains: ByteMatching.contains(text, pattern)
    case .like: ByteMatching.like(text, pattern, isText: isText)
    case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .in, .text: false
    }
  }
}
