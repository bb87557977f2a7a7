import AdapterKit
import DataModel
import PostgresClient
import RecordStore

/// The steps by which a transaction of the database is written to a realm.
struct RealmWrites {
  /// The steps, merged by their time with what the realm has had since.
  var steps: [AdapterInstruction] = []
  /// Steps on lists that both sides changed, written on top of the newest state.
  var mergedLists: [AdapterInstruction] = []
  /// The sizes of lists before the steps, where elements are edited in place.
  var sizes: [AdapterPlace: Int] = [:]
  var dead: [DeadLetter] = []
  /// Properties whose tables were emptied: `Class.property`.
  private var emptied: Set<String> = []
  /// The objects that the steps have made.
  private(set) var made: Set<ObjectReference> = []
  /// The objects that were made for rows which the database had long: their tables beside must be read.
  private(set) var revived: [ObjectReference: String] = [:]

  /// The newest state.
  let contents: RealmContents
  /// Whether others changed a property of an object, or the object as a whole, since what the database knows.
  let othersChanged: (_ object: ObjectReference, _ property: String?) throws -> Bool
  /// Whether something of a row did not fit before.
  let isDead: (_ className: String, _ key: String) -> Bool

  init(
    _ contents: RealmContents, isDead: @escaping (_ className: String, _ key: String) -> Bool,
    othersChanged: @escaping (_ object: ObjectReference, _ property: String?) throws -> Bool
  ) {
    self.contents = contents
    self.isDead = isDead
    self.othersChanged = othersChanged
  }

  /// Adds the change of a row of a class.
  ///
  /// - Throws: `RecordStoreError` when the realm cannot be read.
  mutating func add(_ change: DatabaseTransaction.Change, _ table: ClassTable) throws {
    do {
      switch change.kind {
      case .truncate:
        guard contents.schema[table.className] != nil else { return }
        try contents.forEachObject(of: table.className) { record in
          steps.append(.delete(record.reference))
          return true
        }
      case .delete:
        guard let key = change.row[table.key.name]?.text else { return }
        try erase(try table.reference(key))
      case .insert: try insert(change.row, table)
      case .update: try update(change, table)
      }
    } catch let error as Unfit {
      dead.append(
        DeadLetter(
          direction: .toRealm, className: table.className, key: change.row[table.key.name]?.text ?? "",
          reason: error.description, content: Self.text(change.row)))
    }
  }

  /// Empties the lists, or ends the embedded objects, of a table beside.
  ///
  /// - Throws: `RecordStoreError` when the realm cannot be read.
  mutating func empty(_ sub: SubTable, of table: ClassTable) throws {
    guard contents.schema[table.className] != nil else { return }
    emptied.insert("\(table.className).\(sub.property.name)")
    try contents.forEachObject(of: table.className) { record in
      switch record[sub.property.name] {
      case .list(let items)? where !items.isEmpty:
        steps.append(.listClear(AdapterPlace(record.reference, sub.property.name)))
      case .embedded?: steps.append(.set(record.reference, values: [sub.property.name: .value(.null)]))
      case .list, .value, .dictionary, .set, nil: break
      }
      return true
    }
  }

  /// The value that the realm has in a property; nil for what is new or was emptied before.
  func present(_ object: ObjectReference, _ property: String) throws -> StateDump.Item? {
    guard !made.contains(object), !emptied.contains("\(object.className).\(property)") else { return nil }
    return try contents.object(object)?[property]
  }

  /// Whether an object exists after the steps so far.
  func exists(_ object: ObjectReference) throws -> Bool {
    if made.contains(object) { return true }
    return try !steps.contains(.delete(object)) && contents.object(object) != nil
  }

  private mutating func erase(_ object: ObjectReference) throws {
    let wasMade = made.remove(object) != nil
    guard try wasMade || contents.object(object) != nil else { return }
    steps.append(.delete(object))
  }

  /// Makes the object of a row.
  mutating func insert(_ row: [String: PgColumnValue], _ table: ClassTable) throws {
    guard let key = row[table.key.name]?.text else { throw Unfit("the row has no key") }
    let object = try table.reference(key)
    let exists = try exists(object)
    var fields: [(Column, StateDump.Item)] = []
    for column in table.columns where column.name != table.key.name {
      guard let value = row[column.name] else { continue }
      guard value != .unchanged else { throw Unfit("the value of \(column.name) was not sent") }
      fields.append((column, try column.item(value.text)))
    }
    steps.append(.insert(object, values: Self.single(fields)))
    for (column, item) in fields {
      let place = AdapterPlace(object, column.property.name)
      if exists, let present = try present(object, column.property.name), Self.isCollection(present) {
        try self.change(item, from: present, place)
      } else {
        fill(item, place)
      }
    }
    if !exists { made.insert(object) }
  }

  private mutating func update(_ change: DatabaseTransaction.Change, _ table: ClassTable) throws {
    guard let key = change.row[table.key.name]?.text else { throw Unfit("the row has no key") }
    let object = try table.reference(key)
    if let old = change.old?[table.key.name]?.text, old != key {
      try erase(try table.reference(old))
      try insert(change.row, table)
      return revived[object] = key
    }
    guard try exists(object) else {
      // A deletion of the realm wins over changes of the row. Otherwise the object is missing because the row did not fit.
      if try othersChanged(object, nil) { return }
      try insert(change.row, table)
      return revived[object] = key
    }
    let record = isDead(table.className, key) ? try contents.object(object) : nil
    var fields: [(column: Column, old: StateDump.Item?, new: StateDump.Item)] = []
    for column in table.columns where column.name != table.key.name {
      guard let value = change.row[column.name], value != .unchanged else { continue }
      let old = change.old?[column.name]
      if let record {
        let item = try column.item(value.text)
        guard record[column.property.name]?.comparable != item.comparable else { continue }
        fields.append((column, record[column.property.name], item))
      } else if value != old {
        fields.append((column, old.flatMap { try? column.item($0.text) }, try column.item(value.text)))
      }
    }
    let single = Self.single(fields.filter { !Self.isInPlace($0.old, $0.new) }.map { ($0.column, $0.new) })
    if !single.isEmpty { steps.append(.set(object, values: single)) }
    for (column, old, item) in fields {
      try self.change(item, from: old, AdapterPlace(object, column.property.name))
    }
  }

  /// Whether a value is changed inside, and not replaced.
  private static func isInPlace(_ old: StateDump.Item?, _ new: StateDump.Item) -> Bool {
    if case (.embedded?, .embedded) = (old, new) { return true }
    return false
  }

  private static func isCollection(_ item: StateDump.Item) -> Bool {
    switch item {
    case .list, .set, .dictionary: true
    case .value, .embedded: false
    }
  }

  private static func single(_ fields: [(Column, StateDump.Item)]) -> [String: AdapterValue] {
    var values: [String: AdapterValue] = [:]
    for (column, item) in fields {
      switch item {
      case .value, .embedded: values[column.property.name] = adapterValue(item)
      case .list, .dictionary, .set: break
      }
    }
    return values
  }

  static func adapterValue(_ item: StateDump.Item) -> AdapterValue {
    switch item {
    case .value(.list): .emptyCollection(.list)
    case .value(.dictionary): .emptyCollection(.dictionary)
    case .value(let value): .value(value)
    case .embedded: .embedded
    case .list: .emptyCollection(.list)
    case .dictionary: .emptyCollection(.dictionary)
    case .set: .emptyCollection(.set)
    }
  }

  private static func text(_ row: [String: PgColumnValue]) -> String {
    String(
      row.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value.text ?? "NULL")" }.joined(separator: " ").prefix(4_096)
    )
  }
}
