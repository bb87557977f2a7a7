import DataModel
import Foundation
public import RecordStore

/// Brings the objects of a JSON, CSV or SQLite file into a realm: all of them or none, in one transaction.
///
///     let file = try RealmFile.open(.file(path: "pets.realm"))
///     let report = try RealmImport(path: "pets.json").run(into: file)
///     report.created                                                // 2
///
/// The file is read object by object, and where there are links twice: first for the keys, so that links find their objects.
/// An object whose key exists gets the fields that are given and keeps the others, so that importing twice changes nothing.
public struct RealmImport: Sendable {
  /// The file, or for CSV the folder.
  public var path: String
  /// The format of the file; nil where neither name nor content tell.
  public var format: ExchangeFormat?
  /// The class of the objects of a file that does not name it: a JSON array, or one CSV file. Otherwise the name of the file.
  public var className: String?
  /// Whether objects that do not fit their class are left out and reported, instead of ending the import.
  public var skipsBadObjects: Bool
  /// Whether classes that the realm lacks are made from the values of a file that carries no schema.
  public var makesClasses = false
  /// The primary key of the class that is made; nil for none.
  public var primaryKey: String?

  /// An import of a file; nothing is read yet.
  ///
  /// - Parameter format: nil for CSV if `path` is a folder, else for the format of the path's extension, or of the content.
  public init(path: String, format: ExchangeFormat? = nil, className: String? = nil, skipsBadObjects: Bool = false) {
    self.path = path
    self.format = format ?? ExchangeFormat(ofFile: path)
    self.className = className
    self.skipsBadObjects = skipsBadObjects
  }

  /// Reads the file and writes its objects in one transaction. O(n log n), n the number of values.
  ///
  /// - Parameter progress: called after each object; what it throws ends the import.
  /// - Throws: ``ExchangeError`` with file, line and column of a value that does not fit; `RecordStoreError` when the
  ///   realm refuses; the error of `progress`. Nothing is written then.
  public func run(
    into file: RealmFile, progress: @escaping (ExchangeProgress) throws -> Void = { _ in }
  ) throws -> ImportReport {
    let source = try source()
    let steps = ExchangeSteps(size: source.size, report: progress)
    let added = try added(source, beside: try file.contents().schema, steps)
    return try file.edit { try run(source, added, $0, steps) }
  }

  /// The classes that are added: those that the file carries, or those that are made from its values.
  func added(_ source: any RecordSource, beside known: Schema, _ steps: ExchangeSteps) throws -> Schema? {
    guard makesClasses, source.schema == nil else { return source.schema }
    steps.begin(.inferring)
    let made = try source.inferredClasses(beside: known) { try steps.step(offset: $0) }
    return Schema(try keyed(made))
  }

  private func run(
    _ source: any RecordSource, _ added: Schema?, _ editor: RealmEditor, _ steps: ExchangeSteps
  ) throws -> ImportReport {
    if let added { try editor.addClasses(added, version: source.schemaVersion) }
    let run = try ImportRun(source, editor.schema, skipsBadObjects: skipsBadObjects, steps)
    while try run.step(in: editor, mostObjects: .max, mostBytes: .max) {}
    return run.report
  }

  /// The classes that are made, with the key that was asked for.
  private func keyed(_ made: [ObjectSchema]) throws -> [ObjectSchema] {
    guard let primaryKey else { return made }
    guard made.count == 1 else {
      throw ExchangeError("a key is given for one class that is made; \(made.count) are.", file: path)
    }
    return try made.map { try InferredClass.keyed($0, by: primaryKey, file: path) }
  }

  func source() throws -> any RecordSource {
    switch format {
    case .json: return try JSONSource(path: path, className: className)
    case .csv: return try CSVSource(path: path, className: className)
    case .sqlite: return try SQLiteSource(path: path)
    case nil:
      throw ExchangeError(
        "neither its name nor its content says a format; known are \(ExchangeFormat.endings).", file: path)
    }
  }
}
