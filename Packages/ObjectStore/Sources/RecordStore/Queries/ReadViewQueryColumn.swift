import StorageEngine

/// The column of a property, free of references: copying it costs a load.
struct ReadViewQueryColumn {
  /// Whether there is one value per row in a column of its own type.
  let isColumn: Bool
  let column: ColumnID
  let type: ColumnType
  let isNullable: Bool
  /// Whether a cluster without the column reads as null; otherwise as zero or empty.
  let isNullWhenAbsent: Bool
  /// Whether floating point numbers have 32 bits.
  let isFloat: Bool

  /// - Parameter field: nil for inverse relationships.
  init(_ field: FieldLayout?) {
    isColumn = field?.collection == .single
    column = field?.column ?? ColumnID(-1)
    type = field?.columnType ?? .mixed
    isNullable = field?.isNullable ?? false
    isNullWhenAbsent = isNullable && field?.isFixedLink == false
    isFloat = field?.type == .float
  }
}
