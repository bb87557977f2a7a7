import DataModel

/// One scalar property of an object against constants.
struct ColumnCondition: Sendable {
  /// The position of the property in its class.
  var property: Int
  /// Its name, for plans.
  var name: String
  var test: ColumnTest
  /// Whether rows that pass the test are those that fail the condition. Null is decided by ``matchesNull`` alone.
  var isNegated = false
  /// Whether the condition holds where the property is null.
  var matchesNull = false

  /// Whether the condition holds for a value of the property.
  func holds(_ value: Value) -> Bool {
    if ValueComparison.isNull(value) { return matchesNull }
    return test.passes(value) != isNegated
  }
}

/// What is asked of a value that is not null.
enum ColumnTest: Sendable {
  /// Passed by nothing: all that matters is null.
  case nothing
  case integers(ClosedRange<Int64>)
  /// Between two bounds; an empty interval has `low > high`.
  case doubles(low: Double, high: Double)
  case bool(Bool)
  case bytes(BytesTest)
  case timestamps(low: Timestamp?, lowIsInclusive: Bool, high: Timestamp?, highIsInclusive: Bool)
  case integerSet(IntegerSet)
  case bytesSet(BytesSet)
  case doubleSet(Set<UInt64>)
  case decimalSet(Set<Decimal128>)
  case timestampSet(Set<Timestamp>)
  case links([ObjectReference])

  func passes(_ value: Value) -> Bool {
    switch (self, value) {
    case (.integers(let range), .int(let value)): return range.contains(value)
    case (.doubles(let low, let high), _):
      guard let number = Arithmetic.double(value) else { return false }
      return number >= low && number <= high
    case (.bool(let wanted), .bool(let value)): return value == wanted
    case (.bytes(let test), _): return ColumnBytes.of(value).map { $0.withUnsafeBufferPointer(test.passes) } ?? false
    case (.timestamps(let low, let lowIsInclusive, let high, let highIsInclusive), .timestamp(let value)):
      if let low, value < low || !lowIsInclusive && value == low { return false }
      if let high, value > high || !highIsInclusive && value == high { return false }
      return true
    case (.integerSet(let set), .int(let value)): return set.contains(value)
    case (.bytesSet(let set), _): return ColumnBytes.of(value).map { $0.withUnsafeBufferPointer(set.contains) } ?? false
    case (.doubleSet(let set), _): return Arithmetic.double(value).map { set.contains(Self.bits($0)) } ?? false
    case (.decimalSet(let set), .decimal128(let value)): return set.contains(value.normalized)
    case (.timestampSet(let set), .timestamp(let value)): return set.contains(value)
    case (.links(let references), .link(let value)): return references.contains(value)
    default: return false
    }
  }

  /// The bits of a double, equal for equal numbers.
  static func bits(_ value: Double) -> UInt64 {
    value == 0 ? 0 : value.isNaN ? Double.nan.bitPattern : value.bitPattern
  }
}

/// The bytes under which columns hold strings, binaries and ids.
enum ColumnBytes {
  static func of(_ value: Value) -> [UInt8]? {
    switch value {
    case .string(let text): Array(text.utf8)
    case .data(let bytes): bytes
    case .objectId(let id): id.bytes
    case .uuid(let id): withUnsafeBytes(of: id.uuid) { Array($0) }
    default: nil
    }
  }
}
