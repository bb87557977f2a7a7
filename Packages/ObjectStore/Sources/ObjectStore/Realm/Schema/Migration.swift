import ChangesetOT
public import DataModel
import StorageEngine
import RecordStore

/// An object with properties by name, in a migration.
public typealias MigrationObject = DynamicObject

/// Handles one object in its old and its new form; either is nil when the object does not exist in it.
public typealias MigrationObjectEnumerateBlock = (_ oldObject: MigrationObject?, _ newObject: MigrationObject?) -> Void

/// A migration of a file from one schema version to another: access to the old data and to the new.
///
///     configuration.migrationBlock = { migration, oldVersion in
///       migration.enumerateObjects(ofType: "Person") { old, new in
///         new?["fullName"] = "\(old?["firstName"] ?? "") \(old?["lastName"] ?? "")"
///       }
///     }
///
/// Added properties hold zero, the empty string or nil. Properties whose type changed do, too, except that values are
/// kept when a property only became optional or required.
///
/// A class that becomes embedded has independent objects, without primary key, until the block ends. By then each must
/// have exactly one parent: link it, delete it, or create one for each parent.
///
/// Valid within its block only, on the thread that runs the block. All changes are one transaction.
public final class Migration {
  /// The classes of the file before the migration.
  public let oldSchema: Schema
  /// The classes of the file after the migration.
  public let newSchema: Schema
  private let past: RealmView
  private let present: RealmView

  private init(_ past: RealmView, _ present: RealmView, _ oldSchema: Schema, _ newSchema: Schema) {
    self.past = past
    self.present = present
    self.oldSchema = oldSchema.shown
    self.newSchema = newSchema.shown
  }

  static func run(
    from old: (snapshot: Snapshot, catalog: Catalog), _ session: WriteSession, _ model: ModelSchema,
    _ configuration: Realm.Configuration
  ) throws {
    let writer = session.writer
    let plan = SchemaPlan(model.schema, writer.catalog)
    // Old fields stay readable in the old version; a field that changes its type is erased before the new one is added.
    for (className, property, _) in plan.changedProperties {
      guard let layout = writer.catalog[className], let field = layout.field(property.columnName) else { continue }
      let kept = try writer.keptValues(of: field, layout, becoming: property)
      try writer.eraseField(field, of: layout)
      try writer.addProperty(property, to: className)
      try writer.restore(kept, property, className)
    }
    for (className, _) in plan.changedKeys {
      if let object = model.schema[className] { try writer.changeKey(of: className, to: object) }
    }
    let changed = Set(plan.changedProperties.map { "\($0.className).\($0.property.columnName)" })
    try writer.addWhatIsNew(SchemaPlan(model.schema, writer.catalog))
    try runBlock(from: old, session, model, configuration)
    for (className, field) in plan.oldFields where !changed.contains("\(className).\(field)") {
      guard let layout = writer.catalog[className], let old = layout.field(field) else { continue }
      try writer.eraseField(old, of: layout)
    }
    for object in model.schema.objectSchema where object.kind == .embedded { try writer.embed(object.className) }
    for object in model.schema.objectSchema { try writer.checkKeys(object.className) }
  }

  /// Runs the program's block, with one view of the old data and one of the new.
  private static func runBlock(
    from old: (snapshot: Snapshot, catalog: Catalog), _ session: WriteSession, _ model: ModelSchema,
    _ configuration: Realm.Configuration
  ) throws {
    guard let block = configuration.migrationBlock else { return }
    let oldSchema = ReadView(old.snapshot, old.catalog).schema
    let past = RealmView(session.file, configuration, .none, frozen: old)
    past.migratedSchema = oldSchema
    let present = RealmView(session.file, configuration, .current)
    present.beginMigration(session, model.schema)
    defer { present.endMigration() }
    block(Migration(past, present, oldSchema, model.schema), old.catalog.schemaVersion)
    try past.faults.check()
    try present.faults.check()
  }

  /// Calls `block` with every object of a class, in its old and its new form. Objects that the migration deleted or
  /// created are left out. For a class that the program no longer has the new form is nil; for a class that the file
  /// did not have the old form is nil.
  ///
  /// - Complexity: O(*n*) in the objects of the class.
  public func enumerateObjects(ofType typeName: String, _ block: MigrationObjectEnumerateBlock) {
    let new =
      newSchema[typeName] == nil || present.catalog[typeName] == nil ? nil : present.dynamicAccess(typeName)
    present.reading(or: ()) {
      guard past.catalog[typeName] != nil else {
        guard let new else { return }
        for row in try present.readView.rows(new.layout) { block(nil, new.dynamicObject(row)) }
        return
      }
      let old = past.dynamicAccess(typeName)
      for row in try past.readView.rows(old.layout) {
        if let new, try !present.reader.contains(row, in: new.layout.table) { continue }
        block(old.dynamicObject(row), new?.dynamicObject(row))
      }
    }
  }

  /// Creates an object from a dictionary by property names, an array in the order of the properties, or another object,
  /// which is copied. An unknown class, and a primary key that exists, stop the program.
  @discardableResult
  public func create(_ typeName: String, value: Any = [Any]()) -> MigrationObject {
    let access = access(typeName)
    return access.dynamicObject(DynamicWriter(present, isCreating: true).create(value, access.layout))
  }

  /// A class of the new version.
  private func access(_ typeName: String) -> ClassAccess {
    rule(present.catalog[typeName] != nil, "Object type '\(typeName)' is not in the new schema.")
    return present.dynamicAccess(typeName)
  }

  /// Deletes an object of the new version. An object of the old version stops the program.
  public func delete(_ object: MigrationObject) {
    guard object.view === present, let access = object.state.pointee.access?.takeUnretainedValue() else {
      violated("An object of the old version cannot be deleted.")
    }
    _ = object.prepareForWriting()
    present.modify { try $0.erase(object.row, access.layout, incoming: .nullify) }
  }

  /// Deletes every object of a class, and the class itself when the program no longer has it.
  ///
  /// - Returns: whether there was such a class.
  /// - Complexity: O(*n*) in the objects of the class.
  @discardableResult
  public func deleteData(forType typeName: String) -> Bool {
    present.modify(or: false) { writer in
      guard let layout = writer.catalog[typeName] else { return false }
      for row in try writer.readView.rows(layout) { try writer.erase(row, layout, incoming: .nullify) }
      if newSchema[typeName] == nil { try writer.eraseClass(layout) }
      return true
    }
  }

  /// Copies the data of a property to a property of the same type with another name. Different types stop the program.
  ///
  /// - Complexity: O(*n*) in the objects of the class.
  public func renameProperty(onType typeName: String, from oldName: String, to newName: String) {
    let layout = access(typeName).layout
    present.modify { writer in
      guard let source = layout.field(oldName) else { violated("Class '\(typeName)' had no property '\(oldName)'.") }
      guard let target = layout.field(newName) else { violated("Class '\(typeName)' has no property '\(newName)'.") }
      rule(
        source.type == target.type && source.collection == target.collection && source.target == target.target,
        "Properties '\(oldName)' and '\(newName)' of '\(typeName)' have different types.")
      for row in try writer.readView.rows(layout) { try writer.copy(source, to: Cell(layout, row, target)) }
    }
  }
}
