import DataModel
import RecordStore

/// Reads the lines of the files of a CSV source as objects, file by file.
final class CSVRecords: RecordReader {
  /// The file that is being read.
  private struct Table {
    let path: String
    let object: ObjectSchema
    let columns: [Property?]
    var reader: CSVReader
    var number = 0
  }

  private let cells: CellText
  private var files: ArraySlice<CSVSource.File>
  private let classes: Schema
  private var table: Table?
  /// The bytes of the files before the present one.
  private var offset = 0

  init(_ source: CSVSource, _ classes: Schema) {
    self.classes = classes
    cells = CellText(codec: JSONCodec(classes))
    files = source.files[...]
  }

  func next() throws -> IncomingRecord? {
    while true {
      if let record = try nextOfTable() { return record }
      if let table { offset += ByteSource.size(of: table.path) }
      table = nil
      guard let file = files.popFirst() else { return nil }
      table = try open(file)
    }
  }

  private func open(_ file: CSVSource.File) throws -> Table? {
    guard let object = cells.codec.classes[file.className] ?? cells.codec.classes[file.inferredName],
      object.kind != .embedded
    else { throw InferredClass.unknown(file.className, classes, file: file.path) }
    var reader = try CSVReader(path: file.path, separator: file.separator)
    let header = try reader.record()
    return Table(
      path: file.path, object: object, columns: try header.map { try columns($0, object, file.path) } ?? [],
      reader: reader)
  }

  /// The next line of the file that is being read; nil when there is none.
  private func nextOfTable() throws -> IncomingRecord? {
    while let line = try table?.reader.record(), let table {
      self.table?.number += 1
      if line.count == 1, table.columns.count > 1, line.allSatisfy(\.isNull) { continue }
      return record(line, table)
    }
    return nil
  }

  private func record(_ line: [CSVReader.Cell], _ table: Table) -> IncomingRecord {
    let position = line.first?.position ?? TextPosition()
    let place = "\(table.object.className)[\(table.number)]"
    var incoming = IncomingRecord(
      className: table.object.className, key: nil, fields: .success([:]),
      origin: ExchangeError("", at: position, in: table.path, place: place), offset: offset + table.reader.offset)
    do {
      guard line.count == table.columns.count else {
        throw ExchangeError(
          "the line has \(line.count) values, the first line names \(table.columns.count).", at: position,
          in: table.path, place: place)
      }
      try read(line, table.columns, table.object, place, into: &incoming)
    } catch let misfit as Misfit {
      incoming.fields = .failure(
        ExchangeError(misfit.message, at: misfit.position, in: table.path, place: misfit.place))
    } catch let error as ExchangeError {
      incoming.fields = .failure(ExchangeError(error.message, at: position, in: table.path, place: place))
    } catch {
      incoming.fields = .failure(ExchangeError("\(error)", at: position, in: table.path, place: place))
    }
    return incoming
  }

  private func read(
    _ record: [CSVReader.Cell], _ columns: [Property?], _ object: ObjectSchema, _ place: String,
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
