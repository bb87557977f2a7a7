import DataModel
import Foundation
import RecordStore

/// A folder as ``RealmExport`` writes it, a folder of CSV files named for classes, or one such file.
struct CSVSource: RecordSource {
  private(set) var schema: Schema?
  private(set) var schemaVersion: UInt64 = 0
  /// A file, the class that its name or the caller names, and the one to be made where there is no such.
  struct File {
    var path: String
    var className: String
    var inferredName: String
    var separator: UInt8
  }
  private(set) var files: [File] = []

  var size: Int { files.reduce(0) { $0 + ByteSource.size(of: $1.path) } }

  init(path: String, className: String?) throws {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw ExchangeError("there is no such file or folder.", file: path)
    }
    guard isFolder.boolValue else {
      files = [
        File(
          path: path, className: className ?? CSVNames.className(path),
          inferredName: className ?? InferredName.className(ofFile: path),
          separator: try CSVReader.separator(of: path))
      ]
      return
    }
    if FileManager.default.fileExists(atPath: path + "/schema.json") {
      let header = try JSONSource(path: path + "/schema.json", className: nil)
      schema = header.schema
      schemaVersion = header.schemaVersion
    }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    files = try names.filter { $0.hasSuffix(".csv") }.sorted().map { name in
      File(
        path: path + "/" + name, className: CSVNames.className(name),
        inferredName: InferredName.className(ofFile: name),
        separator: schema == nil ? try CSVReader.separator(of: path + "/" + name) : UInt8(ascii: ","))
    }
    guard !files.isEmpty || schema != nil else { throw ExchangeError("the folder holds no .csv file.", file: path) }
  }

  func forEachRecord(_ classes: Schema, _ body: (IncomingRecord) throws -> Void) throws {
    let cells = CellText(codec: JSONCodec(classes))
    var offset = 0
    for file in files {
      guard let object = cells.codec.classes[file.className] ?? cells.codec.classes[file.inferredName],
        object.kind != .embedded
      else { throw InferredClass.unknown(file.className, classes, file: file.path) }
      try forEachRecord(file, object, cells) { record in
        var record = record
        record.offset += offset
        try body(record)
      }
      offset += ByteSource.size(of: file.path)
    }
  }

  private func forEachRecord(
    _ file: File, _ object: ObjectSchema, _ cells: CellText, _ body: (IncomingRecord) throws -> Void
  ) throws {
    let path = file.path
    var reader = try CSVReader(path: path, separator: file.separator)
    guard let header = try reader.record() else { return }
    let columns = try columns(header, object, path)
    var number = 0
    while let record = try reader.record() {
      defer { number += 1 }
      let position = record.first?.position ?? TextPosition()
      let place = "\(object.className)[\(number)]"
      if record.count == 1, header.count > 1, record.allSatisfy(\.isNull) { continue }
      var incoming = IncomingRecord(
        className: object.className, key: nil, fields: .success([:]),
        origin: ExchangeError("", at: position, in: path, place: place), offset: reader.offset)
      do {
        guard record.count == columns.count else {
          throw ExchangeError(
            "the line has \(record.count) values, the first line names \(columns.count).", at: position, in: path,
            place: place)
        }
        try read(record, columns, object, cells, place, into: &incoming)
      } catch let misfit as Misfit {
        incoming.fields = .failure(ExchangeError(misfit.message, at: misfit.position, in: path, place: misfit.place))
      } catch let error as ExchangeError {
        incoming.fields = .failure(ExchangeError(error.message, at: position, in: path, place: place))
      }
      try body(incoming)
    }
  }

  private func read(
    _ record: [CSVReader.Cell], _ columns: [Property?], _ object: ObjectSchema, _ cells: CellText, _ place: String,
    into incoming: inout IncomingRecord
  ) throws {
    var fields: [String: StateDump.Item] = [:]
    for (cell, property) in zip(record, columns) {
      if let property {
        fields[property.name] = try cells.item(
          cell.isNull ? nil : cell.text, property, at: cell.position, "\(place).\(property.name)")
      } else if !cell.isNull {
        guard let key = KeyText.key(cell.text, of: object) else {
          throw Misfit(
            "expected \(KeyText.expectation(object)), found '\(cell.text)'.",
            JSONNode(content: .null, position: cell.position), place)
        }
        incoming.key = key
      }
    }
    if let key = try IncomingRecord.key(fields, object) { incoming.key = key }
    incoming.fields = .success(fields)
  }

  /// The property of each column; nil for the one with keys. A name that is none of a property means the one made from it.
  private func columns(_ header: [CSVReader.Cell], _ object: ObjectSchema, _ path: String) throws -> [Property?] {
    let made = InferredName.unique(header.map(\.text))
    var seen: Set<String> = []
    return try zip(header, made).map { cell, made in
      if cell.text == "$key", object.primaryKey == nil, seen.insert(cell.text).inserted { return nil }
      let isRepeated = seen.contains(cell.text)
      guard let property = isRepeated ? object[made] ?? object[cell.text] : object[cell.text] ?? object[made] else {
        let known = object.properties.map(\.name)
        throw ExchangeError(
          "\(object.className) has no property '\(cell.text)'; it has \(known.joined(separator: ", ")).",
          at: cell.position, in: path)
      }
      guard seen.insert(property.name).inserted else {
        throw ExchangeError("'\(cell.text)' names two columns.", at: cell.position, in: path, place: object.className)
      }
      return property
    }
  }
}
