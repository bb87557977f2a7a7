public import DataModel
import QueryLanguage
import StorageEngine

/// One version of a realm file read without model classes: its schema, and its objects as plain values.
///
///     let contents = try RealmFile.open(.file(path: "pets.realm")).contents()
///     contents.schema.objectSchema.map(\.className)            // ["Dog"]
///     try contents.forEachObject(of: "Dog", matching: "age > 8 SORT(name ASC)") { dog in
///       print(dog.key, dog["name"] ?? "")                        // 1 Rex
///       return true
///     }
///
/// A snapshot: later commits are not seen. Objects are read one at a time, so memory does not grow with their number.
public struct RealmContents {
  let readView: ReadView
  /// The classes of the file, in the order of their creation. Names are those in the file.
  public let schema: Schema
  /// Whether objects are read as people see them: a link to an object that does not exist is null, and is no element of a list or set of
  /// links. Otherwise it names that object, as the file does. Queries never see such links.
  public var hidesUnresolvedLinks = false

  init(_ readView: ReadView) {
    self.readView = readView
    schema = readView.schema
  }

  /// The version that the application gave the schema.
  public var schemaVersion: UInt64 { readView.catalog.schemaVersion }

  /// Counts the commits of the file.
  public var version: UInt64 { readView.reader.version.rawValue }

  /// The number of objects of a class; 0 for classes that the file does not have. O(1).
  public func count(of className: String) -> Int {
    readView.catalog[className].map { readView.reader.rowCount(of: $0.table) } ?? 0
  }

  /// The number of objects of a class that match a query.
  /// - Throws: `QueryError`, with its position, for text that is no query over the class.
  public func count(of className: String, matching query: String) throws -> Int {
    try translatingErrors { try plan(className, query).count(in: ReadViewQuerySource(readView)) }
  }

  /// The plan of a query in words.
  ///
  /// - Throws: `QueryError`, with its position, for text that is no query over the class.
  public func explanation(of className: String, matching query: String) throws -> String {
    try translatingErrors { try plan(className, query).explain(in: ReadViewQuerySource(readView)) }
  }

  /// Calls `body` with every object of a class, or those that match a query in its order, until it returns false.
  ///
  /// - Throws: ``RecordStoreError`` when the file has no such class; `QueryError` for text that is no query over it.
  public func forEachObject(
    of className: String, matching query: String? = nil, _ body: (ObjectRecord) throws -> Bool
  ) throws {
    try translatingErrors {
      let layout = try layout(className)
      if let query {
        for row in try plan(className, query).rows(in: ReadViewQuerySource(readView)) {
          guard try body(try record(RowKey(row), layout)) else { return }
        }
        return
      }
      for index in 0..<readView.reader.clusterCount(of: layout.table) {
        guard let cluster = try readView.reader.cluster(index, of: layout.table) else { continue }
        var slots: [Int] = []
        cluster.forEachLiveSlot { slots.append($0) }
        for slot in slots {
          guard try body(try record(RowKey(clusterIndex: index, slot: slot), layout)) else { return }
        }
      }
    }
  }

  /// The object of that name; nil when it does not exist. O(log *n*).
  ///
  /// - Throws: ``RecordStoreError`` when the file cannot be read.
  public func object(_ reference: ObjectReference) throws -> ObjectRecord? {
    try translatingErrors {
      guard let layout = readView.catalog[reference.className],
        let row = try readView.row(readView.known(reference.key), layout)
      else { return nil }
      return try record(row, layout)
    }
  }

  func record(_ row: RowKey, _ layout: ClassLayout) throws -> ObjectRecord {
    ObjectRecord(
      reference: ObjectReference(className: layout.name, key: try readView.queryKey(row, layout)),
      fields: try hidesUnresolvedLinks ? readView.visibleFields(row, layout) : readView.fields(row, layout))
  }

  func layout(_ className: String) throws -> ClassLayout {
    if let layout = readView.catalog[className] { return layout }
    let known = schema.objectSchema.map(\.className).joined(separator: ", ")
    throw RecordStoreError(
      .invalidInput, "The file has no class '\(className)'. It has: \(known.isEmpty ? "none" : known).")
  }

  func plan(_ className: String, _ query: String) throws -> QueryPlan {
    _ = try layout(className)
    return try QueryPlan(ParsedQuery(parsing: query), className: className, schema: QuerySchema(schema))
  }
}

extension RealmFile {
  /// The latest version, to be read without model classes.
  ///
  /// - Throws: ``RecordStoreError`` when the file cannot be read.
  public func contents() throws -> RealmContents {
    try translatingErrors { RealmContents(try latestReadView()) }
  }
}
