public import DataModel

/// At most 256 slots for neighbouring rows, with one array per property. The row in slot *i* has the row key
/// `firstRow + i`.
///
/// Pointers obtained from a cluster are valid while the cluster object is held.
public protocol QueryCluster: AnyObject {
  /// The number of slots, from 1 to 256: every array has that many entries.
  var slotCount: Int { get }
  /// The row key of slot 0.
  var firstRow: QueryRow { get }
  /// A bit array of 256 bits in which a set bit means that a row lives in the slot; nil when one lives in each.
  var liveSlots: UnsafeRawPointer? { get }

  /// The array of a property; ``ColumnView/generic`` for every property whose values are only reached through
  /// ``value(of:slot:)``, which is always allowed.
  func column(_ property: Int) throws -> ColumnView

  /// The value of a property in the row of a live slot: lists and sets as `.list` (sets in any order), dictionaries as
  /// `.dictionary`, links as `.link`, links to unresolved objects as `.null`. Inverse relationships are never asked.
  func value(of property: Int, slot: Int) throws -> Value

  /// Appends the rows that a single link, list, set or dictionary of links points to. Null and unresolved entries are
  /// appended as negative numbers. Dictionaries go in the order of their keys' bytes.
  func appendLinkedRows(of property: Int, slot: Int, to rows: inout [QueryRow]) throws
}
