public import DataModel
import StorageEngine

/// Changes a realm file without model classes, within one write transaction. ``RealmFile/edit(_:)`` hands it out.
///
///     try file.edit { editor in
///       try editor.addClasses(schema)
///       let rex = ObjectReference(className: "Dog", key: .int(1))
///       try editor.create(rex)
///       try editor.set(["name": .value("Rex")], of: rex)
///     }
///
/// Every value is checked against its property before it is written. In a file that records, everything is recorded,
/// as changes through live objects are. A global key with a high half of 0 names an object of this file, also after the
/// file got an ident of its own.
public final class RealmEditor {
  let session: WriteSession
  var writer: StoreWriter { session.writer }
  private var knownSchema: (revision: UInt64, schema: Schema)?

  package init(_ session: WriteSession) { self.session = session }

  /// The classes of the file with the changes so far.
  public var schema: Schema {
    if let knownSchema, knownSchema.revision == writer.catalog.revision { return knownSchema.schema }
    let schema = writer.readView.schema
    knownSchema = (writer.catalog.revision, schema)
    return schema
  }

  /// The changeset of what was done so far, in a file that records; empty in others. It has every link that a deletion took away.
  ///
  /// - Complexity: O(*n*) in its bytes.
  public var recorded: [UInt8] { writer.recorder.map { $0.isEmpty ? [] : $0.written } ?? [] }

  /// The bytes of ``recorded``, without making it.
  public var recordedBytes: Int { writer.recorder?.count ?? 0 }

  /// Begins to record, in a file that keeps no history: ``recorded`` has what is done from now on. Before anything is changed.
  public func beginRecording() {
    guard writer.recorder == nil else { return }
    writer.recorder = ChangesetRecorder()
  }

  /// Adds the classes and properties that the file does not have.
  ///
  /// - Parameter version: what the schema version becomes when the file had no classes.
  /// - Throws: ``RecordStoreError`` with code `schemaMismatch` when the file declares one of them differently.
  public func addClasses(_ schema: Schema, version: UInt64? = nil) throws {
    try translatingErrors {
      let isNew = writer.catalog.classes.isEmpty && writer.catalog.schemaVersion == 0
      let plan = SchemaPlan(schema, writer.catalog)
      guard !plan.isDestructive else {
        throw RecordStoreError(
          .schemaMismatch,
          "The classes do not fit those of the file:\n\(plan.description)\nUse another file, or change the declarations."
        )
      }
      var additions = plan
      additions.indexes = []
      try writer.addWhatIsNew(additions)
      if isNew, let version, version > 0 { writer.setCatalog(writer.catalog.with(schemaVersion: version)) }
    }
  }

  /// Whether an object exists.
  ///
  /// - Throws: ``RecordStoreError`` when the file cannot be read.
  public func contains(_ object: ObjectReference) throws -> Bool {
    try translatingErrors { try row(object) != nil }
  }

  /// The object with the changes so far; nil when it does not exist.
  ///
  /// - Throws: ``RecordStoreError`` when the file cannot be read.
  public func object(_ reference: ObjectReference) throws -> ObjectRecord? {
    try translatingErrors {
      let reference = try known(reference)
      guard let layout = writer.catalog[reference.className], let row = try row(reference) else { return nil }
      return ObjectRecord(reference: reference, fields: try writer.readView.fields(row, layout))
    }
  }

  /// Makes an object; links that waited for it lead to it then.
  /// - Returns: false when it existed.
  /// - Throws: ``RecordStoreError`` when its class cannot have such a key.
  @discardableResult
  public func create(_ object: ObjectReference) throws -> Bool {
    try refusing {
      let object = try known(object)
      let layout = try ChangesetApplier(writer: writer).keyedLayout(object)
      if try writer.readView.row(object.key, layout) != nil { return false }
      _ = try writer.create(object.key, layout)
      return true
    }
  }

  /// A key for a new object of a class without primary key.
  ///
  /// - Throws: ``RecordStoreError`` with code `invalidInput` when the class does not exist or its keys cannot be made.
  public func makeKey(for className: String) throws -> ObjectKey {
    try refusing {
      guard let layout = writer.catalog[className], layout.key?.globalColumn != nil else {
        throw Refusal(.otherType, "objects of \(className) are named by their primary key")
      }
      return try writer.nextGlobalKey(layout)
    }
  }

  /// Erases an object: links to it become null and leave their lists.
  /// - Returns: whether it existed.
  /// - Throws: ``RecordStoreError`` when the file cannot be written; nothing has then changed.
  @discardableResult
  public func erase(_ object: ObjectReference) throws -> Bool {
    try translatingErrors {
      guard let layout = writer.catalog[object.className], let row = try row(object) else { return false }
      try writer.erase(row, layout, incoming: .nullify)
      return true
    }
  }

  /// Gives fields of an object new values. A field that has its value already is not written.
  ///
  /// - Throws: ``RecordStoreError`` with code `invalidInput` naming the first value that does not fit.
  public func set(_ fields: [String: StateDump.Item], of object: ObjectReference) throws {
    try refusing {
      let object = try known(object)
      let layout = try ChangesetApplier(writer: writer).keyedLayout(object)
      guard let row = try writer.readView.row(object.key, layout) else {
        throw Refusal(.otherType, "there is no object \(object)")
      }
      try set(fields.mapValues(known), row, layout)
    }
  }

  private func row(_ object: ObjectReference) throws -> RowKey? {
    guard let layout = writer.catalog[object.className] else { return nil }
    return try writer.readView.row(known(object).key, layout)
  }

  /// The object as the file knows it.
  package func known(_ object: ObjectReference) throws -> ObjectReference {
    let ident = try writer.ownIdent()
    return ObjectReference(className: object.className, key: object.key.resolved(for: ident) ?? object.key)
  }

  /// The value with the objects that it links to as the file knows them.
  package func known(_ item: StateDump.Item) throws -> StateDump.Item {
    let ident = try writer.ownIdent()
    return ident == .none ? item : item.renamingObjects { $0.key.resolved(for: ident) ?? $0.key }
  }

  /// Runs a change, throwing what it refuses as ``RecordStoreError``.
  private func refusing<R>(_ body: () throws -> R) throws -> R {
    do { return try translatingErrors(body) } catch let refusal as Refusal {
      throw RecordStoreError(.invalidInput, refusal.reason.prefix(1).uppercased() + refusal.reason.dropFirst() + ".")
    }
  }
}

extension RealmFile {
  /// Runs `body` in one write transaction, which commits when it returns and is rolled back when it throws.
  ///
  /// - Throws: the error of `body`, or ``RecordStoreError`` when the commit fails; nothing has then changed.
  @discardableResult
  public func edit<R>(_ body: (RealmEditor) throws -> R) throws -> R {
    try write { try body(RealmEditor($0)) }
  }
}
