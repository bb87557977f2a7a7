public import DataModel
public import RecordStore

/// Brings the objects of a file into a realm in batches, each a transaction of its own, so that others write between them.
///
///     let batches = try BatchedImport(RealmImport(path: "pets.json"), into: file.contents().schema)
///     while try file.edit({ try batches.writeBatch(in: $0) }) {}
///     batches.report.created                                        // 2
///
/// The whole file is read before anything is written: one that does not fit changes nothing. An import that ends early leaves the
/// batches that were committed; links are set once all objects are there, in a second walk. Repeated, it completes objects that
/// have a key in the file; objects that get new keys would be made twice.
///
/// Used by one thread at a time.
public final class BatchedImport {
  /// The most objects of a batch.
  public static let mostObjects = 5_000
  /// The bytes of recorded changes behind which a batch takes no further object.
  public static let mostBytes = 1 << 20

  private let run: ImportRun
  private let added: Schema?
  private let schemaVersion: UInt64
  private var isFirst = true

  /// Reads the file for what does not fit.
  ///
  /// - Parameters:
  ///   - schema: the classes of the realm.
  ///   - progress: called after each object, also while batches are written; what it throws ends the import.
  /// - Throws: ``ExchangeError`` with file, line and column of what does not fit; the error of `progress`.
  /// - Complexity: O(*n*) for *n* values.
  public init(
    _ settings: RealmImport, into schema: Schema, progress: @escaping (ExchangeProgress) throws -> Void = { _ in }
  ) throws {
    let source = try settings.source()
    let steps = ExchangeSteps(size: source.size, report: progress)
    added = try settings.added(source, beside: schema, steps)
    schemaVersion = source.schemaVersion
    run = try ImportRun(
      source, added.map { schema.adding($0) } ?? schema, skipsBadObjects: settings.skipsBadObjects, steps)
    try run.check()
  }

  /// The counts so far. Those of a batch whose transaction fails count as well.
  public var report: ImportReport { run.report }

  /// Writes the next objects; the first batch adds the classes that the realm lacks.
  ///
  /// - Returns: whether there is more to do.
  /// - Throws: as ``RealmImport/run(into:progress:)``. The import cannot go on then.
  public func writeBatch(in editor: RealmEditor) throws -> Bool {
    if isFirst, let added { try editor.addClasses(added, version: schemaVersion) }
    isFirst = false
    return try run.step(in: editor, mostObjects: Self.mostObjects, mostBytes: Self.mostBytes)
  }
}

extension Schema {
  /// The classes with those of another schema, and with the properties that it adds.
  fileprivate func adding(_ added: Schema) -> Schema {
    var classes = objectSchema
    for object in added.objectSchema {
      if let index = classes.firstIndex(where: { $0.className == object.className }) {
        classes[index].properties += object.properties.filter { classes[index][$0.name] == nil }
      } else {
        classes.append(object)
      }
    }
    return Schema(classes)
  }
}
