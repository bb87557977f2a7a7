import ChangesetOT
import DataModel
import StorageEngine

/// One class as the file keeps it. Immutable: a change of schema makes new ones.
package final class ClassLayout: Sendable {
  package let name: String
  package let table: TableID
  package let kind: ObjectKind
  /// The key of the objects; nil for embedded classes.
  package let key: KeyLayout?
  package let fields: [FieldLayout]
  private let numbers: [String: Int]
  /// By position in ``fields``; nil for collections and the primary key.
  let cells: [CellLayout?]
  /// The column of the primary key.
  let keyColumn: ColumnID?
  /// Whether a field other than the primary key has an index.
  let hasIndexedFields: Bool

  package convenience init(name: String, table: TableID, kind: ObjectKind, key: KeyLayout?, fields: [FieldLayout]) {
    let numbers = Dictionary(fields.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    self.init(
      name, table, kind, key, fields, numbers,
      cells: fields.enumerated().map { number, field in number == key?.field ? nil : CellLayout(field) },
      hasIndexedFields: fields.enumerated().contains { number, field in number != key?.field && field.index != nil })
  }

  private init(
    _ name: String, _ table: TableID, _ kind: ObjectKind, _ key: KeyLayout?, _ fields: [FieldLayout],
    _ numbers: [String: Int], cells: [CellLayout?], hasIndexedFields: Bool
  ) {
    self.name = name
    self.table = table
    self.kind = kind
    self.key = key
    self.fields = fields
    self.numbers = numbers
    self.cells = cells
    keyColumn = key.flatMap { $0.field }.map { fields[$0].column }
    self.hasIndexedFields = hasIndexedFields
  }

  /// The field of that stored name.
  package func field(_ name: String) -> FieldLayout? { numbers[name].map { fields[$0] } }

  /// The position of the field of that stored name in ``fields``.
  package func number(of name: String) -> Int? { numbers[name] }

  /// The same, quicker when it is the position expected.
  func number(of name: String, expecting expected: Int) -> Int? {
    expected < fields.count && fields[expected].name == name ? expected : numbers[name]
  }

  /// The field that is the primary key.
  package var keyField: FieldLayout? { key.flatMap { $0.field }.map { fields[$0] } }

  /// The class with one more field.
  func adding(_ field: FieldLayout) -> ClassLayout {
    var numbers = numbers
    numbers[field.name] = fields.count
    return ClassLayout(
      name, table, kind, key, fields + [field], numbers, cells: cells + [CellLayout(field)],
      hasIndexedFields: hasIndexedFields || field.index != nil)
  }

  package func with(kind: ObjectKind? = nil, fields: [FieldLayout]? = nil, key: KeyLayout?? = nil) -> ClassLayout {
    ClassLayout(
      name: name, table: table, kind: kind ?? self.kind, key: key ?? self.key, fields: fields ?? self.fields)
  }
}

/// The key by which objects of a class are named, and its index.
package struct KeyLayout: Hashable, Sendable {
  /// The primary key's position in the fields; nil for a class without one, whose objects have global keys.
  package var field: Int?
  var type: ObjectKeyType
  var isNullable: Bool
  /// Key to row.
  package var index: IndexID
  /// Holds the global key of objects without a primary key.
  package var globalColumn: ColumnID?

  package init(field: Int?, type: ObjectKeyType, isNullable: Bool, index: IndexID, globalColumn: ColumnID? = nil) {
    self.field = field
    self.type = type
    self.isNullable = isNullable
    self.index = index
    self.globalColumn = globalColumn
  }

  /// Whether ``index`` has integer keys.
  package var hasIntegerIndex: Bool { type == .int && !isNullable }
}
