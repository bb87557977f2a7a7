public import DataModel

/// A run of at most 256 neighbouring rows, with one array per property.
///
/// Pointers obtained from a cluster are valid while the cluster object is held.
public protocol QueryCluster: AnyObject {
  /// The number of rows, from 1 to 256.
  var rowCount: Int { get }
  /// ``rowCount`` row keys, strictly ascending.
  var rowKeys: UnsafePointer<RowKey> { get }

  /// The array of a property; ``ColumnView/generic`` for every property whose values are only reached through
  /// ``value(of:slot:)``, which is always allowed.
  func column(_ property: Int) throws -> ColumnView

  /// The value of a property in one row: lists and sets as `.list` (sets in any order), dictionaries as
  /// `.dictionary`, links as `.link`, links to unresolved objects as `.null`. Inverse relationships are never asked.
  func value(of property: Int, slot: Int) throws -> Value

  /// Appends the rows that a single link, list, set or dictionary of links points to. Null and unresolved entries are
  /// appended as ``Swift/Int64/nullRow``. Dictionaries go in the order of their keys' bytes.
  func appendLinkedRows(of property: Int, slot: Int, to rows: inout [RowKey]) throws
}
