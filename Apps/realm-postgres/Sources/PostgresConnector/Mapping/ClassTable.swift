import DataModel
import PostgresClient
import RecordStore

/// The table of one class: the columns of its properties, the tables of what lies inside its objects, and the columns that the path
/// of the realm gives.
struct ClassTable: Sendable {
  let schema: ObjectSchema
  let namespace: String
  let name: String
  /// The realms whose objects are rows of the table.
  let template: RealmPathTemplate
  let key: Column
  /// The columns of the properties, the key first.
  let columns: [Column]
  let subTables: [SubTable]

  var className: String { schema.className }
  /// The table as it stands in statements.
  var sqlName: String { Self.sqlName(namespace, name) }
  /// The key as it stands in statements.
  var sqlKey: String { PostgresConnection.quoted(key.name) }

  static func sqlName(_ namespace: String, _ name: String) -> String {
    PostgresConnection.quoted(namespace) + "." + PostgresConnection.quoted(name)
  }

  func sqlName(of sub: SubTable) -> String { Self.sqlName(namespace, sub.name) }

  /// The columns that the path of a realm gives, those that are properties not among them.
  var pathColumns: [String] { template.columns.filter { path in !columns.contains { $0.name == path } } }

  /// The names of all columns of a row, the key first.
  var rowNames: [String] { columns.map(\.name) + pathColumns }

  /// The texts of the columns, in their order. A property that the realm does not have is null.
  ///
  /// - Throws: ``Unfit``
  func row(_ record: ObjectRecord) throws -> [String?] {
    try columns.map { try $0.text(record[$0.property.name] ?? .value(.null)) }
  }

  /// The object of a key.
  ///
  /// - Throws: ``Unfit``
  func reference(_ key: String) throws -> ObjectReference {
    ObjectReference(
      className: className, key: try ScalarText.key(key, self.key.property.type, sqlType: self.key.sqlType))
  }

  /// The condition by which statements keep to the rows of one realm, beginning with AND; empty where there is only one.
  ///
  /// - Parameter path: the columns that the path of the realm gives.
  func scope(_ path: [String: String], alias: String = "") -> String {
    template.columns.map { name in
      " AND \(alias)\(PostgresConnection.quoted(name)) = \(PostgresConnection.literal(path[name] ?? ""))"
    }.joined()
  }
}

/// A table beside that of a class: the elements of a list, by `oid` and `idx`, or an embedded object, by `oid`.
struct SubTable: Sendable {
  let property: Property
  let name: String
  /// Whether it holds a list, whose rows have an `idx`.
  let isList: Bool
  /// The column `target`, or those of the embedded class.
  let columns: [Column]
  /// Whether the columns are those of an embedded class.
  let isEmbedded: Bool

  /// The names of all columns.
  var rowNames: [String] { ["oid"] + (isList ? ["idx"] : []) + columns.map(\.name) }

  /// The rows of an object, without `oid` and `idx`.
  ///
  /// - Throws: ``Unfit``
  func rows(_ record: ObjectRecord) throws -> [[String?]] {
    switch record[property.name] {
    case .list(let items)?: try items.map(row)
    case .embedded?: try record[property.name].map { [try row($0)] } ?? []
    case .value, .dictionary, .set, nil: []
    }
  }

  private func row(_ item: StateDump.Item) throws -> [String?] {
    guard isEmbedded else { return try columns.map { try $0.text(item) } }
    guard case .embedded(let fields) = item else { throw Unfit("\(property.name): an element is no object") }
    return try columns.map { try $0.text(fields[$0.property.name] ?? .value(.null)) }
  }

  /// The element of a row.
  ///
  /// - Parameter texts: of the columns, without `oid` and `idx`.
  /// - Throws: ``Unfit``
  func element(_ texts: [String?]) throws -> StateDump.Item {
    guard isEmbedded else {
      guard let column = columns.first else { return .value(.null) }
      return try column.item(texts.first ?? nil)
    }
    var fields: [String: StateDump.Item] = [:]
    for (column, text) in zip(columns, texts) { fields[column.property.name] = try column.item(text) }
    return .embedded(fields)
  }

  /// The value of the property that rows in their order make.
  func item(_ elements: [StateDump.Item]) -> StateDump.Item {
    isList ? .list(elements) : elements.first ?? .value(.null)
  }
}
