import ChangesetOT
import DataModel
import StorageEngine

/// One class as the file keeps it. Immutable: a change of schema makes new ones.
final class ClassLayout: Sendable {
  let name: String
  let table: TableID
  let kind: ObjectKind
  /// How objects are named; nil for embedded classes.
  let key: KeyLayout?
  let fields: [FieldLayout]
  private let numbers: [String: Int]
  /// By position in ``fields``; nil for collections and the primary key.
  let cells: [CellLayout?]
  /// The column of the primary key.
  let keyColumn: ColumnID?
  /// Whether a field other than the primary key has an index.
  let hasIndexedFields: Bool

  convenience init(name: String, table: TableID, kind: ObjectKind, key: KeyLayout?, fields: [FieldLayout]) {
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
  func field(_ name: String) -> FieldLayout? { numbers[name].map { fields[$0] } }

  /// The position of the field of that stored name in ``fields``.
  func number(of name: String) -> Int? { numbers[name] }

  /// The same, quicker when it is the position expected.
  func number(of name: String, expecting expected: Int) -> Int? {
    expected < fields.count && fields[expected].name == name ? expected : numbers[name]
  }

  /// The field that is the primary key.
  var keyField: FieldLayout? { key.flatMap { $0.field }.map { fields[$0] } }

  /// The class with one more field.
  func adding(_ field: FieldLayout) -> ClassLayout {
    var numbers = numbers
    numbers[field.name] = fields.count
    return ClassLayout(
      name, table, kind, key, fields + [field], numbers, cells: cells + [CellLayout(field)],
      hasIndexedFields: hasIndexedFields || field.index != nil)
  }

  func with(kind: ObjectKind? = nil, fields: [FieldLayout]? = nil, key: KeyLayout?? = nil) -> ClassLayout {
    ClassLayout(
      name: name, table: table, kind: kind ?? self.kind, key: key ?? self.key, fields: fields ?? self.fields)
  }
}

/// How the objects of a class are named.
struct KeyLayout: Hashable, Sendable {
  /// The primary key's position in the fields; nil for a class without one, whose objects have global keys.
  var field: Int?
  var type: ObjectKeyType
  var isNullable: Bool
  /// Key to row.
  var index: IndexID
  /// Holds the global key of objects without a primary key.
  var globalColumn: ColumnID?

  /// Whether ``index`` has integer keys.
  var hasIntegerIndex: Bool { type == .int && !isNullable }
}
