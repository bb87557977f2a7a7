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

/// A test of a value that is not null.
enum ColumnTest: Sendable {
  /// Passed by no value; ``ColumnCondition/matchesNull`` alone decides.
  case nothing
  case integers(ClosedRange<Int64>)
  /// Between two bounds; an empty interval has `low > high`.
  case doubles(low: Double, high: Double)
  case bool(Bool)
  case bytes(BytesTest)
  case timestamps(low: Timestamp?, lowIsInclusive: Bool, high: Timestamp?, highIsInclusive: Bool)
  case integerSet(Set<Int64>)
  case bytesSet(BytesSet)
  case doubleSet(Set<UInt64>)
  case decimalSet(Set<Decimal128>)
  case timestampSet(Set<Timestamp>)
  case links([ObjectReference])

  /// Whether a value passes; one of another type than the test's never does.
  func passes(_ value: Value) -> Bool {
    switch self {
    case .nothing: return false
    case .integers(let range): return if case .int(let number) = value { range.contains(number) } else { false }
    case .doubles(let low, let high):
      guard let number = Arithmetic.double(value) else { return false }
      return number >= low && number <= high
    case .bool(let wanted): return if case .bool(let flag) = value { flag == wanted } else { false }
    case .bytes(let test): return ColumnBytes.withBytes(of: value, test.passes) ?? false
    case .timestamps(let low, let lowIsInclusive, let high, let highIsInclusive):
      guard case .timestamp(let time) = value else { return false }
      if let low, time < low || !lowIsInclusive && time == low { return false }
      if let high, time > high || !highIsInclusive && time == high { return false }
      return true
    case .integerSet(let set): return if case .int(let number) = value { set.contains(number) } else { false }
    case .bytesSet(let set): return ColumnBytes.withBytes(of: value, set.contains) ?? false
    case .doubleSet(let set): return Arithmetic.double(value).map { set.contains(Self.bits($0)) } ?? false
    case .decimalSet(let set):
      return if case .decimal128(let number) = value { set.contains(number.normalized) } else { false }
    case .timestampSet(let set): return if case .timestamp(let time) = value { set.contains(time) } else { false }
    case .links(let references):
      return if case .link(let reference) = value { references.contains(reference) } else { false }
    }
  }

  /// The bits of a double, equal for equal numbers.
  static func bits(_ value: Double) -> UInt64 {
    value == 0 ? 0 : value.isNaN ? Double.nan.bitPattern : value.bitPattern
  }
}

/// The bytes under which columns hold strings, binaries and ids.
enum ColumnBytes {
  /// Calls a closure with the bytes, those of a string where they are; nil for values without bytes.
  static func withBytes<T>(of value: Value, _ body: (UnsafeBufferPointer<UInt8>) -> T) -> T? {
    if case .string(var text) = value { return text.withUTF8(body) }
    return of(value)?.withUnsafeBufferPointer(body)
  }

  static func of(_ value: Value) -> [UInt8]? {
    switch value {
    case .string(let text): Array(text.utf8)
    case .data(let bytes): bytes
    case .objectId(let id): id.bytes
    case .uuid(let id): withUnsafeBytes(of: id.uuid) { Array($0) }
    case .null, .int, .bool, .timestamp, .float, .double, .decimal128, .link, .list, .dictionary: nil
    }
  }
}
