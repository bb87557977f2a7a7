import DataModel
import Foundation

extension RealmExport {
  func writeCSV(to path: String) throws -> Int {
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    } catch { throw ExchangeError("the folder cannot be made: \(error)", file: path) }
    let schema = try TextSink(path: path + "/schema.json")
    try schema.write(
      "{\n  \"format\": \"openrealm\",\n  \"version\": 1,\n  \"schemaVersion\": \(contents.schemaVersion),\n")
    try schema.write("  \"schema\": \(SchemaText.json(contents.schema))\n}\n")
    try schema.close()
    var count = 0
    for object in classes {
      let sink = try TextSink(path: path + "/" + CSVNames.file(object.className))
      count += try writeCSV(object) { try sink.write($0) }
      try sink.close()
    }
    return count
  }

  /// Passes the lines of one class to `write`, the names of the properties first.
  @discardableResult
  func writeCSV(_ object: ObjectSchema, matching query: String? = nil, _ write: (String) throws -> Void) throws -> Int {
    let cells = CellText(codec: codec)
    let isKeyless = object.primaryKey == nil
    var count = 0
    try write(CSVText.line((isKeyless ? ["$key"] : []) + object.properties.map(\.name)))
    try forEachObject(of: object.className, matching: query) { record in
      let key: [String?] = isKeyless ? [KeyText.text(record.key)] : []
      let values = object.properties.map { property in
        record.fields[property.name].flatMap { cells.text($0, property) }
      }
      try write(CSVText.line(key + values))
      count += 1
    }
    return count
  }

  /// Passes the objects of a class that match a query to `write`, as CSV, line by line. O(n), n the number of values.
  ///
  /// - Throws: ``ExchangeError`` for an unknown class; the error of `write`; `RecordStoreError` when the query is refused or the
  ///   realm cannot be read.
  public func writeCSV(of className: String, matching query: String?, _ write: (String) throws -> Void) throws {
    guard let object = codec.classes[className] else { throw ExchangeError("there is no class '\(className)'.") }
    try writeCSV(object, matching: query, write)
  }
}

extension RealmExport {
  /// Writes the objects of a class that match a query to a new CSV file. O(n), n the number of values.
  ///
  /// - Returns: the number of objects.
  /// - Throws: as ``writeCSV(of:matching:_:)``; ``ExchangeError`` when the file cannot be written.
  public func writeCSVFile(
    of className: String, matching query: String?, to path: String,
    progress: @escaping (ExchangeProgress) throws -> Void = { _ in }
  ) throws -> Int {
    guard let object = codec.classes[className] else { throw ExchangeError("there is no class '\(className)'.") }
    var export = self
    let size =
      try query.map { try contents.count(of: className, matching: $0) } ?? contents.count(of: className)
    export.steps = ExchangeSteps(size: size, report: progress)
    let sink = try TextSink(path: path)
    let count = try export.writeCSV(object, matching: query) { try sink.write($0) }
    try sink.close()
    return count
  }
}

/// The file names of classes: every byte except letters, digits, `-` and `_` is written as `%41`.
enum CSVNames {
  static func file(_ className: String) -> String {
    var name = ""
    for byte in className.utf8 {
      let isPlain =
        byte < 0x80 && (Character(Unicode.Scalar(byte)).isLetter || Character(Unicode.Scalar(byte)).isNumber)
      if isPlain || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_") {
        name.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        name += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
      }
    }
    return name + ".csv"
  }

  static func className(_ file: String, ending: String = ".csv") -> String {
    let name = (file as NSString).lastPathComponent
    return (name.hasSuffix(ending) ? String(name.dropLast(ending.count)) : name).removingPercentEncoding ?? name
  }
}
