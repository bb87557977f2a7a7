/// The type of the cells of a column.
public enum ColumnType: UInt8, Sendable, Hashable, CaseIterable {
  case int = 1
  case bool = 2
  case float = 3
  case double = 4
  case string = 5
  case data = 6
  case timestamp = 7
  case decimal128 = 8
  case objectId = 9
  case uuid = 10
  /// A ``RowKey`` of the column's target table, or ``RowKey/none``.
  case link = 11
  /// Any one ``StoredValue``.
  case mixed = 12
  /// An ordered list of ``StoredValue``.
  case list = 13
  /// An ordered map from key bytes to ``StoredValue``; sets and dictionaries are stored as maps.
  case map = 14
}
