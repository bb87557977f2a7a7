public import DataModel
public import FoundationEssentials

/// One value in a ``ColumnType/mixed`` cell or in a collection.
public enum StoredValue: Hashable, Sendable {
  case null
  case int(Int64)
  case bool(Bool)
  case float(Float)
  case double(Double)
  case string(String)
  case data([UInt8])
  case timestamp(Timestamp)
  case decimal128(Decimal128)
  case objectId(ObjectId)
  case uuid(UUID)
  /// A link to a row of any table.
  case link(TableID, RowKey)
  /// A list inside a value.
  indirect case list([StoredValue])
  /// A dictionary inside a value; keys ascending by their UTF-8.
  indirect case dictionary([String: StoredValue])
}
