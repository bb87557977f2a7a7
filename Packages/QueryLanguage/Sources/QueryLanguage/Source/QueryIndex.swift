public import DataModel

/// An ordered index over one property.
public protocol QueryIndex {
  /// The rows that a probe finds, in any order, without duplicates.
  ///
  /// - Parameter limit: the greatest number of rows for which an answer is cheaper than a scan.
  /// - Returns: nil when there are more than `limit` rows, or when the index cannot answer this probe; the evaluator
  ///   then scans.
  /// - Throws: the errors of the store.
  func rows(matching probe: IndexProbe, limit: Int) throws -> [QueryRow]?

  /// The number of rows that a probe finds, when the index knows it without gathering them; nil otherwise.
  ///
  /// - Throws: the errors of the store.
  func count(matching probe: IndexProbe) throws -> Int?

  /// Calls a closure with the rows whose value is not null and lies between two bounds, by ascending or descending value, until it
  /// returns false.
  ///
  /// - Returns: false when the index cannot answer in this order; the closure was then not called.
  /// - Throws: the error of the closure; the errors of the store.
  func forEach(
    from lower: IndexProbe.Bound?, through upper: IndexProbe.Bound?, isAscending: Bool,
    _ body: (QueryRow) throws -> Bool
  ) throws -> Bool
}

extension QueryIndex {
  /// Nil: the default for an index that has to gather rows. Never throws.
  ///
  /// - Throws: never.
  public func count(matching probe: IndexProbe) throws -> Int? { nil }

  /// False: the default for an index without an order. Never throws.
  ///
  /// - Throws: never.
  public func forEach(
    from lower: IndexProbe.Bound?, through upper: IndexProbe.Bound?, isAscending: Bool,
    _ body: (QueryRow) throws -> Bool
  ) throws -> Bool { false }
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
    /// The value at the end of the range.
    public var value: Value
    /// Whether the value itself belongs to the range.
    public var isInclusive: Bool

    /// A bound.
    public init(_ value: Value, isInclusive: Bool) {
      self.value = value
      self.isInclusive = isInclusive
    }
  }
}
