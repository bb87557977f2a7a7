/// The number of one row of a table: keys are given out in order and never reused.
///
///     RowKey(515).clusterIndex         // 2
///     RowKey(515).slot                 // 3
public struct RowKey: Hashable, Comparable, Sendable {
  /// 0 and up; -1 is ``none``.
  public let rawValue: Int64

  /// The key with a number.
  @inlinable public init(_ rawValue: Int64) { self.rawValue = rawValue }

  /// The row in `slot` of the cluster numbered `clusterIndex`.
  @inlinable public init(clusterIndex: Int, slot: Int) {
    rawValue = Int64(clusterIndex) << 8 | Int64(slot)
  }

  /// No row: the value of a null link.
  public static let none = RowKey(-1)

  /// The number of the cluster that holds the row.
  @inlinable public var clusterIndex: Int { Int(rawValue >> 8) }
  /// The row's slot in its cluster, 0 to 255.
  @inlinable public var slot: Int { Int(rawValue & 255) }

  /// In the order of their numbers.
  @inlinable public static func < (left: RowKey, right: RowKey) -> Bool { left.rawValue < right.rawValue }
}

/// The number of one table of a store; never reused after the table is dropped.
public struct TableID: Hashable, Comparable, Sendable {
  /// 0 and up.
  public let rawValue: Int
  /// The identifier with a number.
  @inlinable public init(_ rawValue: Int) { self.rawValue = rawValue }
  /// In the order of their numbers.
  @inlinable public static func < (left: TableID, right: TableID) -> Bool { left.rawValue < right.rawValue }
}

/// The number of one column within its table, and its index in a ``Cluster``; never reused within the table.
public struct ColumnID: Hashable, Comparable, Sendable {
  /// 0 to 4,095.
  public let rawValue: Int
  /// The identifier with a number.
  @inlinable public init(_ rawValue: Int) { self.rawValue = rawValue }
  /// In the order of their numbers.
  @inlinable public static func < (left: ColumnID, right: ColumnID) -> Bool { left.rawValue < right.rawValue }
}

/// The number of one ordered index of a store; never reused after the index is dropped.
public struct IndexID: Hashable, Comparable, Sendable {
  /// 0 and up.
  public let rawValue: Int
  /// The identifier with a number.
  @inlinable public init(_ rawValue: Int) { self.rawValue = rawValue }
  /// In the order of their numbers.
  @inlinable public static func < (left: IndexID, right: IndexID) -> Bool { left.rawValue < right.rawValue }
}

/// The number of a version of a store: a new store is at version 1 and every commit adds one.
public struct SnapshotVersion: Hashable, Comparable, Sendable {
  /// 1 and up; 0 for a blank snapshot.
  public let rawValue: UInt64
  /// The version with a number.
  @inlinable public init(_ rawValue: UInt64) { self.rawValue = rawValue }
  /// In the order of their numbers.
  @inlinable public static func < (left: SnapshotVersion, right: SnapshotVersion) -> Bool {
    left.rawValue < right.rawValue
  }
}

extension RowKey: CustomStringConvertible {
  /// The kind and the number.
  public var description: String { "row \(rawValue)" }
}

extension TableID: CustomStringConvertible {
  /// The kind and the number.
  public var description: String { "table \(rawValue)" }
}

extension ColumnID: CustomStringConvertible {
  /// The kind and the number.
  public var description: String { "column \(rawValue)" }
}

extension IndexID: CustomStringConvertible {
  /// The kind and the number.
  public var description: String { "index \(rawValue)" }
}

extension SnapshotVersion: CustomStringConvertible {
  /// The kind and the number.
  public var description: String { "version \(rawValue)" }
}
