public import DataModel
import Foundation
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
  /// Told of each object; nil where the caller takes the text.
  var steps: ExchangeSteps?

  /// An export of these contents; nothing is written yet.
  public init(_ contents: RealmContents, classNames: Set<String>? = nil) {
    self.contents = contents
    codec = JSONCodec(contents.schema)
    self.classNames = classNames
  }

  /// Writes the export to a new file or folder. O(n log n), n the number of values.
  ///
  /// - Parameters:
  ///   - format: nil for the format of the path's extension.
  ///   - progress: called after each object; what it throws ends the export.
  /// - Returns: the number of objects.
  /// - Throws: ``ExchangeError`` when the extension names no format, a file exists already or cannot be written; the error
  ///   of `progress`. What was written by then is removed.
  @discardableResult
  public func write(
    to path: String, format: ExchangeFormat? = nil, progress: @escaping (ExchangeProgress) throws -> Void = { _ in }
  ) throws -> Int {
    guard let format = format ?? ExchangeFormat(path: path) else {
      throw ExchangeError("its ending names no format; known are \(ExchangeFormat.endings).", file: path)
    }
    guard format == .csv || !FileManager.default.fileExists(atPath: path) else {
      throw ExchangeError("a file of that name exists; remove it or choose another name.", file: path)
    }
    let existed = FileManager.default.fileExists(atPath: path)
    var export = self
    export.steps = ExchangeSteps(size: classes.reduce(0) { $0 + contents.count(of: $1.className) }, report: progress)
    do {
      return switch format {
      case .json: try export.writeJSON(to: path)
      case .csv: try export.writeCSV(to: path)
      case .sqlite: try export.writeSQLite(to: path)
      }
    } catch {
      if !existed { try? FileManager.default.removeItem(atPath: path) }
      throw error
    }
  }

  /// Calls `body` with the objects of a class, and counts them.
  func forEachObject(
    of className: String, matching query: String? = nil, _ body: (ObjectRecord) throws -> Void
  ) throws {
    try contents.forEachObject(of: className, matching: query) { record in
      try body(record)
      try steps?.step()
      return true
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
