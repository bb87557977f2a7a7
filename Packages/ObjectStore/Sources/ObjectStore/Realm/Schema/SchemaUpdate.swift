import DataModel
import Foundation
import StorageEngine
import RecordStore

/// Updates the schema of a file to the model classes when a realm is opened.
struct SchemaUpdate {
  let file: RealmFile
  let configuration: Realm.Configuration
  let model: ModelSchema

  /// Whether the schema only grows: in files with a history, which other devices follow.
  private var isAdditive: Bool {
    configuration.recordsChangesets || configuration.replication != nil || configuration.onlyAdds
  }

  /// Adds, migrates or empties, as the configuration allows.
  ///
  /// - Parameter read: the latest version, if it was just read.
  /// - Returns: the latest version, whose schema fits.
  /// - Throws: ``Realm/Error`` with code `schemaMismatch` when the data must be migrated and cannot be.
  func perform(on read: Snapshot?) throws -> Snapshot {
    guard configuration.replication == nil || configuration.migrationBlock == nil else {
      throw Realm.Error(
        .invalidInput,
        "A synchronised realm is not migrated: other devices go on with the old classes. Remove the migrationBlock; new "
          + "classes and properties are added without one.")
    }
    let found = try read ?? file.store.latestSnapshot()
    return try update(from: try file.catalog(of: found)) ? try file.store.latestSnapshot() : found
  }

  /// - Returns: whether the update made a new version.
  private func update(from catalog: Catalog) throws -> Bool {
    let isNew = catalog.classes.isEmpty && catalog.schemaVersion == 0
    let plan = model.plan(for: catalog)
    if !isAdditive, !isNew, configuration.schemaVersion < catalog.schemaVersion {
      throw mismatch(
        "Provided schema version \(configuration.schemaVersion) is less than last set version \(catalog.schemaVersion)."
      )
    }
    if configuration.readOnly {
      guard plan.newProperties.isEmpty, !plan.isDestructive else { throw mismatch(plan.description) }
      return false
    }
    if isAdditive {
      guard !plan.isDestructive else { throw destruction(plan) }
      if plan.newClasses.isEmpty, plan.newProperties.isEmpty, plan.indexes.isEmpty { return false }
      try add()
      return true
    }
    let isRaised = !isNew && configuration.schemaVersion > catalog.schemaVersion
    if plan.isEmpty, !isRaised, !(isNew && configuration.schemaVersion > 0) { return false }
    if !plan.needsMigration, !isRaised {
      try add()
    } else if configuration.deleteRealmIfMigrationNeeded, plan.needsMigration {
      try empty()
    } else if isRaised {
      try migrate()
    } else {
      throw mismatch("Migration is required due to the following errors:\n\(plan.description)")
    }
    return true
  }

  /// Adds new classes and properties, planned again under the write lock.
  private func add() throws {
    try file.write { session in
      let plan = SchemaPlan(model.schema, session.writer.catalog)
      try session.writer.addWhatIsNew(plan)
      try setVersion(session)
    }
  }

  private func empty() throws {
    try file.write { session in
      for layout in session.writer.catalog.classes { try session.writer.eraseClass(layout) }
      try session.writer.addWhatIsNew(SchemaPlan(model.schema, session.writer.catalog))
      try setVersion(session)
    }
  }

  private func migrate() throws {
    let old = try file.store.latestSnapshot()
    let catalog = try file.catalog(of: old)
    log(
      .info,
      "Migrating \(configuration) from schema version \(catalog.schemaVersion) to \(configuration.schemaVersion).")
    let session = try WriteSession(file)
    do {
      try Migration.run(from: (old, catalog), session, model, configuration)
      try setVersion(session)
    } catch {
      session.rollback()
      throw error
    }
    _ = try session.commit()
  }

  private func setVersion(_ session: WriteSession) throws {
    let writer = session.writer
    guard !isAdditive, writer.catalog.schemaVersion != configuration.schemaVersion else { return }
    writer.setCatalog(writer.catalog.with(schemaVersion: configuration.schemaVersion))
  }

  /// The error for a change that other devices could not follow.
  private func destruction(_ plan: SchemaPlan) -> Realm.Error {
    Realm.Error(
      .schemaMismatch,
      "A synchronised realm takes new classes and properties only:\n\(plan.destruction)\n"
        + "Give what has changed another name, or open a new realm with the new classes and copy the objects over.")
  }

  private func mismatch(_ reason: String) -> Realm.Error {
    Realm.Error(
      .schemaMismatch,
      reason
        + "\nRaise the configuration's schemaVersion and give a migrationBlock, or set deleteRealmIfMigrationNeeded.")
  }
}
