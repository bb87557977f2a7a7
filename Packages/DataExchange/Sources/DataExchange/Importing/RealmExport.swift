public import DataModel
public import RecordStore

/// Writes the objects of one version of a realm to a file of another format, or to a text.
///
///     let contents = try RealmFile.open(.file(path: "pets.realm")).contents()
///     try RealmExport(contents).write(to: "pets.json")
///
/// Objects are written one by one, so that memory does not grow with their number. Nothing is overwritten.
public struct RealmExport {
  let contents: RealmContents
  let codec: JSONCodec
  /// The classes to write, embedded ones aside; nil for all.
  public var classNames: Set<String>?

  /// An export of these contents; nothing is written yet.
  public init(_ contents: RealmContents, classNames: Set<String>? = nil) {
    self.contents = contents
    codec = JSONCodec(contents.schema)
    self.classNames = classNames
  }

  /// Writes the export to a new file or folder. O(n log n), n the number of values.
  ///
  /// - Parameter format: nil for the format of the path's extension, and JSON without one.
  /// - Returns: the number of objects.
  /// - Throws: ``ExchangeError`` when a file exists already or cannot be written.
  @discardableResult
  public func write(to path: String, format: ExchangeFormat? = nil) throws -> Int {
    switch format ?? ExchangeFormat(path: path) ?? .json {
    case .json: try writeJSON(to: path)
    case .csv: try writeCSV(to: path)
    case .sqlite: try writeSQLite(to: path)
    }
  }

  /// One object as JSON, as in an export.
  public func json(_ object: ObjectRecord) -> String {
    codec.json(object.fields, codec.classes[object.className], key: object.key)
  }

  /// The value of one field as JSON.
  public func json(_ item: StateDump.Item, of property: Property) -> String { codec.json(item, property) }

  /// The key of an object as text.
  public func text(_ key: ObjectKey) -> String { KeyText.text(key) ?? "null" }

  /// The classes of the export without the embedded ones.
  var classes: [ObjectSchema] {
    contents.schema.objectSchema.filter {
      $0.kind != .embedded && classNames?.contains($0.className) ?? true
    }
  }
}
