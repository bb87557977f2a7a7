import DataModel
import Foundation
public import RecordStore

/// The formats of exports and imports.
public enum ExchangeFormat: String, CaseIterable, Sendable {
  /// One text file with schema and objects.
  case json
  /// A folder with one file per class, after RFC 4180, and the schema beside them.
  case csv
  /// A SQLite database with one table per class and per collection.
  case sqlite

  /// The format of a path's extension; nil for an unknown one.
  public init?(path: String) {
    switch (path as NSString).pathExtension.lowercased() {
    case "json": self = .json
    case "csv": self = .csv
    case "sqlite", "sqlite3", "db": self = .sqlite
    default: return nil
    }
  }
}

/// The counts of an import.
public struct ImportReport: Hashable, Sendable {
  /// The number of new objects.
  public var created = 0
  /// The number of objects that existed, and got the fields of the import.
  public var updated = 0
  /// The number of objects that did not fit their class and were left out.
  public var skipped = 0
  /// The reasons why objects were skipped; the first thousand.
  public var problems: [ExchangeError] = []

  /// A report of nothing.
  public init() {}
}

/// Brings the objects of a JSON, CSV or SQLite file into a realm: all of them or none, in one transaction.
///
///     let file = try RealmFile.open(.file(path: "pets.realm"))
///     let report = try RealmImport(path: "pets.json").run(into: file)
///     report.created                                                // 2
///
/// The file is read twice, object by object: first for the keys, so that links find their objects, then for the rest.
/// An object whose key exists gets the fields that are given and keeps the others, so that importing twice changes nothing.
public struct RealmImport: Sendable {
  /// The file, or for CSV the folder.
  public var path: String
  /// The format of the file.
  public var format: ExchangeFormat
  /// The class of the objects of a file that does not name it: a JSON array, or one CSV file.
  public var className: String?
  /// Whether objects that do not fit their class are left out and reported, instead of ending the import.
  public var skipsBadObjects: Bool

  /// An import of a file; nothing is read yet.
  ///
  /// - Parameter format: nil for CSV if `path` is a folder, else for the format of the path's extension, and JSON without
  ///   one.
  public init(path: String, format: ExchangeFormat? = nil, className: String? = nil, skipsBadObjects: Bool = false) {
    self.path = path
    var isFolder: ObjCBool = false
    let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
    self.format = format ?? (exists && isFolder.boolValue ? .csv : ExchangeFormat(path: path) ?? .json)
    self.className = className
    self.skipsBadObjects = skipsBadObjects
  }

  /// Reads the file and writes its objects in one transaction. O(n log n), n the number of values.
  ///
  /// - Throws: ``ExchangeError`` with file, line and column of a value that does not fit; `RecordStoreError` when the
  ///   realm refuses. Nothing is written then.
  public func run(into file: RealmFile) throws -> ImportReport {
    let source = try source()
    return try file.edit { editor in
      if let schema = source.schema { try editor.addClasses(schema, version: source.schemaVersion) }
      return try run(source, editor)
    }
  }

  private func source() throws -> any RecordSource {
    switch format {
    case .json: try JSONSource(path: path, className: className)
    case .csv: try CSVSource(path: path, className: className)
    case .sqlite: try SQLiteSource(path: path)
    }
  }

  private func run(_ source: any RecordSource, _ editor: RealmEditor) throws -> ImportReport {
    let schema = editor.schema
    var report = ImportReport()
    var made: [ObjectKey] = []
    try source.forEachRecord(schema) { record in
      if case .failure(let problem) = record.fields {
        guard skipsBadObjects else { throw problem }
        report.skipped += 1
        if report.problems.count < 1000 { report.problems.append(problem) }
        return
      }
      let key = try record.key ?? editor.makeKey(for: record.className)
      if record.key == nil { made.append(key) }
      let reference = ObjectReference(className: record.className, key: key)
      if try locating(record, { try editor.create(reference) }) { report.created += 1 } else { report.updated += 1 }
    }
    var next = 0
    try source.forEachRecord(schema) { record in
      guard case .success(let fields) = record.fields else { return }
      var key = record.key
      if key == nil, next < made.count {
        key = made[next]
        next += 1
      }
      guard let key else { return }
      try locating(record) { try editor.set(fields, of: ObjectReference(className: record.className, key: key)) }
    }
    return report
  }

  /// Runs an edit; a refusal of the realm is thrown with its place in the file.
  private func locating<R>(_ record: IncomingRecord, _ body: () throws -> R) throws -> R {
    do { return try body() } catch let error as RecordStoreError where error.code == .invalidInput {
      var located = record.origin
      located.message = error.message
      throw located
    }
  }
}
