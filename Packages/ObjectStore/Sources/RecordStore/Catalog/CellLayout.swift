import DataModel
import StorageEngine

/// A field that holds one value, as far as most changes of it need to know: small, and free of references.
struct CellLayout: Sendable {
  let column: ColumnID
  let type: PropertyType
  /// Whether a value may be null; true for links.
  let isNullable: Bool
  /// Whether the column holds links.
  let isLink: Bool
  /// Whether nothing else in the file depends on the value: no index, no backlink, nothing embedded.
  let isPlain: Bool

  /// Nil for fields that hold collections.
  init?(_ field: FieldLayout) {
    guard field.collection == .single else { return nil }
    column = field.column
    type = field.type
    isLink = field.columnType == .link
    isNullable = field.isNullable || field.type == .object || field.type == .any
    isPlain = field.index == nil && !field.canLink
  }
}
