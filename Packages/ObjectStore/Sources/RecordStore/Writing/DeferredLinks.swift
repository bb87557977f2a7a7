import DataModel
import StorageEngine

/// Links whose targets were erased or created in this transaction, and whose cells do not say so yet.
///
/// Until ``StoreWriter/settleLinks()`` the links to an erased object keep its row, and the links to the name of an object
/// that exists now keep the name. Erasing and creating a linked object in turn is then O(log n) each time, in place of one
/// step per link, and a list of which many targets come or go is rewritten once.
struct DeferredLinks {
  /// Class and key of an object.
  struct Name: Hashable {
    let table: TableID
    let key: ObjectKey
  }

  /// The rows of erased objects that are linked to. No other row gets such a number before the transaction ends.
  private(set) var erased: [Name: RowKey] = [:]
  /// The rows of objects that exist now, by the names that links to them still hold.
  private(set) var resolved: [ClassRow: RowKey] = [:]

  var isEmpty: Bool { erased.isEmpty && resolved.isEmpty }

  /// The row that an erased object had; nil when nothing linked to it.
  func row(of key: ObjectKey, _ table: TableID) -> RowKey? {
    erased.isEmpty ? nil : erased[Name(table: table, key: key)]
  }

  mutating func erase(_ row: RowKey, _ key: ObjectKey, _ table: TableID) {
    erased[Name(table: table, key: key)] = row
  }

  /// Takes back the erasure of an object; returns the row that it had.
  mutating func restore(_ key: ObjectKey, _ table: TableID) -> RowKey? {
    erased.isEmpty ? nil : erased.removeValue(forKey: Name(table: table, key: key))
  }

  /// Links to `name` are to lead to `row`, or stay as they are when that is nil.
  mutating func resolve(_ name: RowKey, to row: RowKey?, of table: TableID) {
    resolved[ClassRow(table: table, row: name)] = row
  }

  /// Forgets the objects of one class; returns the rows of the erased ones.
  mutating func forget(_ table: TableID) -> [RowKey] {
    let rows = erased.filter { $0.key.table == table }.map(\.value)
    erased = erased.filter { $0.key.table != table }
    resolved = resolved.filter { $0.key.table != table }
    return rows.sorted()
  }
}
