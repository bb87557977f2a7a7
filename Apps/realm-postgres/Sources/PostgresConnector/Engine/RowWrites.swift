import ChangesetOT
import DataModel
import PostgresClient
import RecordStore

/// The rows that a realm's objects become: computed from one state of the realm, written in one transaction of the database.
struct RowWrites: Sendable {
  /// The row of an object and the rows beside it; or its end.
  struct Write: Sendable {
    /// The number of the table.
    var table: Int
    var key: String
    /// The texts of all columns; nil when the object does not exist any more.
    var row: [String?]?
    /// The numbers of the columns that changed; nil for all.
    var columns: [Int]?
    /// The rows of tables beside, by the numbers of the tables.
    var beside: [(sub: Int, rows: [[String?]])]
  }

  let tables: [ClassTable]
  var writes: [Write] = []
  var dead: [DeadLetter] = []
  /// The position of the realm that the rows have.
  let position: SaltedServerVersion
  var hasSchemaChanges = false

  /// The rows of objects in a state.
  ///
  /// - Parameters:
  ///   - objects: with the properties that changed; nil for new objects, and those that are gone.
  ///   - tables: those of the realm.
  /// - Throws: `RecordStoreError` when the state cannot be read.
  init(
    _ objects: [(object: ObjectReference, properties: Set<String>?)], in contents: RealmContents,
    at position: SaltedServerVersion, _ tables: [ClassTable], path: String
  ) throws {
    self.tables = tables
    self.position = position
    var contents = contents
    contents.hidesUnresolvedLinks = true
    let numbers = Dictionary(
      tables.enumerated().map { ($1.className, $0) }, uniquingKeysWith: { first, _ in first })
    for (object, properties) in objects {
      guard let number = numbers[object.className] else { continue }
      do {
        let record = try contents.object(object)
        guard let write = try Self.write(object, properties, record, tables[number], number) else { continue }
        writes.append(write)
      } catch let error as Unfit {
        dead.append(
          DeadLetter(
            direction: .toPostgres, position: "\(position.version.rawValue)", realm: path,
            className: object.className, key: "\(object.key)", reason: error.description))
      }
    }
    sort()
  }

  private static func write(
    _ object: ObjectReference, _ properties: Set<String>?, _ record: ObjectRecord?, _ table: ClassTable, _ number: Int
  ) throws -> Write? {
    guard let key = try ScalarText.text(object.key) else { throw Unfit("NULL cannot be a primary key") }
    guard let record else { return Write(table: number, key: key, row: nil, columns: nil, beside: []) }
    let columns = properties.map { properties in
      table.columns.indices.filter { $0 > 0 && properties.contains(table.columns[$0].property.name) }
    }
    let beside = table.subTables.indices.filter { properties?.contains(table.subTables[$0].property.name) ?? true }
    // Properties that no table has.
    if let columns, columns.isEmpty, beside.isEmpty { return nil }
    return Write(
      table: number, key: key, row: try table.row(record), columns: columns,
      beside: try beside.map { ($0, try table.subTables[$0].rows(record)) })
  }

  /// Objects before those that link to them; ends in the other order, and last.
  private mutating func sort() {
    writes.sort { left, right in
      switch (left.row == nil, right.row == nil) {
      case (false, true): true
      case (true, false): false
      case (false, false): left.table < right.table
      case (true, true): left.table > right.table
      }
    }
  }

  /// The object of a write.
  func object(_ write: Write) -> ObjectReference? { try? tables[write.table].reference(write.key) }
}
