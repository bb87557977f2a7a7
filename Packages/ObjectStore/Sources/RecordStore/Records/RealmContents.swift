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
/// What later commits change is not seen. Objects come one at a time, so that memory does not grow with their number.
public struct RealmContents {
  let frame: Frame
  /// The classes of the file, in the order of their creation. Names are those in the file.
  public let schema: Schema

  init(_ frame: Frame) {
    self.frame = frame
    schema = frame.schema
  }

  /// The version that the application gave the schema.
  public var schemaVersion: UInt64 { frame.catalog.schemaVersion }

  /// Counts the commits of the file.
  public var version: UInt64 { frame.reader.version.rawValue }

  /// How many objects a class has; 0 for classes that the file does not have. O(1).
  public func count(of className: String) -> Int {
    frame.catalog[className].map { frame.reader.rowCount(of: $0.table) } ?? 0
  }

  /// How many objects of a class match a query.
  /// - Throws: `QueryError`, with its position, for text that is no query over the class.
  public func count(of className: String, matching query: String) throws -> Int {
    try translatingErrors { try plan(className, query).count(in: FrameQuerySource(frame)) }
  }

  /// What a query will do, in words.
  public func explanation(of className: String, matching query: String) throws -> String {
    try translatingErrors { try plan(className, query).explain(in: FrameQuerySource(frame)) }
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
        for row in try plan(className, query).rows(in: FrameQuerySource(frame)) {
          guard try body(try record(RowKey(row), layout)) else { return }
        }
        return
      }
      for index in 0..<frame.reader.clusterCount(of: layout.table) {
        guard let cluster = try frame.reader.cluster(index, of: layout.table) else { continue }
        var slots: [Int] = []
        cluster.forEachLiveSlot { slots.append($0) }
        for slot in slots {
          guard try body(try record(RowKey(clusterIndex: index, slot: slot), layout)) else { return }
        }
      }
    }
  }

  /// The object of that name; nil when it does not exist. O(log *n*).
  public func object(_ reference: ObjectReference) throws -> ObjectRecord? {
    try translatingErrors {
      guard let layout = frame.catalog[reference.className], let row = try frame.row(frame.known(reference.key), layout)
      else { return nil }
      return try record(row, layout)
    }
  }

  private func record(_ row: RowKey, _ layout: ClassLayout) throws -> ObjectRecord {
    ObjectRecord(
      reference: ObjectReference(className: layout.name, key: try frame.queryKey(row, layout)),
      fields: try frame.fields(row, layout))
  }

  private func layout(_ className: String) throws -> ClassLayout {
    if let layout = frame.catalog[className] { return layout }
    let known = schema.objectSchema.map(\.className).joined(separator: ", ")
    throw RecordStoreError(
      .invalidInput, "The file has no class '\(className)'. It has: \(known.isEmpty ? "none" : known).")
  }

  private func plan(_ className: String, _ query: String) throws -> QueryPlan {
    _ = try layout(className)
    return try QueryPlan(ParsedQuery(parsing: query), className: className, schema: QuerySchema(schema))
  }
}

extension RealmFile {
  /// The latest version, to be read without model classes.
  public func contents() throws -> RealmContents {
    try translatingErrors { RealmContents(try latestFrame()) }
  }
}
