public import DataModel

/// An ordered index over one property.
public protocol QueryIndex {
  /// The rows that a probe finds, in any order, without duplicates.
  ///
  /// - Parameter limit: how many rows are still worth having.
  /// - Returns: nil when there are more than `limit` rows, or when the index cannot answer this probe; the evaluator
  ///   then scans.
  func rows(matching probe: IndexProbe, limit: Int) throws -> [QueryRow]?

  /// How many rows a probe finds, when the index knows without gathering them; nil otherwise.
  func count(matching probe: IndexProbe) throws -> Int?
}

extension QueryIndex {
  /// An index that only knows rows counts nothing.
  public func count(matching probe: IndexProbe) throws -> Int? { nil }
}

/// A question to an index.
///
/// Values have exactly the type of the property. Order is that of the query language: integers by value, strings and
/// ids by bytes, dates by time.
public enum IndexProbe: Hashable, Sendable {
  /// Rows whose value is this one, null included.
  case equal(Value)
  /// Rows whose value is not null and lies between the bounds; a nil bound is open.
  case range(lower: Bound?, upper: Bound?)
  /// Rows whose string begins with these bytes.
  case prefix([UInt8])

  /// One end of a range.
  public struct Bound: Hashable, Sendable {
    public var value: Value
    public var isInclusive: Bool

    public init(_ value: Value, isInclusive: Bool) {
      self.value = value
      self.isInclusive = isInclusive
    }
  }
}
