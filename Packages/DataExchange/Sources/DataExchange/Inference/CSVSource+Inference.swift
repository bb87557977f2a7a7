import DataModel

extension CSVSource {
  /// A class for each file whose class `known` lacks: the first line gives the properties, the values their types.
  func inferredClasses(
    beside known: Schema, _ progress: (_ offset: Int) throws -> Void
  ) throws -> [ObjectSchema] {
    guard schema == nil else { return [] }
    var classes: [ObjectSchema] = []
    var offset = 0
    for file in files {
      defer { offset += ByteSource.size(of: file.path) }
      guard known[file.className] == nil, known[file.inferredName] == nil else { continue }
      let object = try infer(file) { try progress(offset + $0) }
      if !classes.contains(where: { $0.className == object.className }) { classes.append(object) }
    }
    return classes
  }

  private func infer(_ file: File, _ progress: (Int) throws -> Void) throws -> ObjectSchema {
    var reader = try CSVReader(path: file.path, separator: file.separator)
    guard let header = try reader.record(), header.contains(where: { !$0.isNull }) else {
      throw ExchangeError(
        "the first line is empty; it must name the properties.", file: file.path, line: 1, column: 1)
    }
    for cell in header { try checkText(cell, file.path) }
    var columns = Array(repeating: ColumnInference(), count: header.count)
    while let record = try reader.record() {
      try progress(reader.offset)
      if record.count == 1, header.count > 1, record.allSatisfy(\.isNull) { continue }
      // Lines of another length are reported when they are written.
      guard record.count == header.count else { continue }
      for (position, cell) in record.enumerated() {
        try checkText(cell, file.path)
        columns[position].take(cell.isNull ? nil : cell.text)
      }
    }
    let names = InferredName.unique(header.map(\.text))
    var properties: [Property] = []
    for (position, name) in names.enumerated() where header[position].text != "$key" {
      let column = columns[position]
      properties.append(Property(name: name, type: column.type, isOptional: column.hasNull))
    }
    return ObjectSchema(className: file.inferredName, properties: properties)
  }

  /// Refuses what no table of texts holds: a file of other bytes would else become objects.
  private func checkText(_ cell: CSVReader.Cell, _ path: String) throws {
    let stray = cell.text.utf8.first { $0 < 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D }
    guard let stray else { return }
    throw ExchangeError("byte \(stray) is none of a text; is this a CSV file?", at: cell.position, in: path)
  }
}
