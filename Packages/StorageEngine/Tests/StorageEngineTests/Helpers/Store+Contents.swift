import StorageEngine

extension Store {
  /// Everything that a reader can see, as text.
  func contents() throws -> [String] {
    let snapshot = try latestSnapshot()
    var lines: [String] = []
    for table in snapshot.tables {
      try snapshot.forEachRow(of: table.id) { row in
        for column in table.columns {
          let shape = ModelTable.Column(
            id: column.id, name: column.name, type: column.type, isNullable: column.isNullable)
          let cell = try snapshot.cell(shape, row, table.id)
          if case .map(let entries) = cell {
            // In a fixed order, to be comparable as text.
            lines += entries.map { "\(row) \(column.name) \($0.key) \($0.value)" }.sorted()
          } else {
            lines.append("\(table.name) \(row) \(column.name) \(cell)")
          }
        }
      }
      for index in table.indexes {
        switch index.kind {
        case .int:
          try snapshot.index(index.id).forEach(in: .min ... .max) { key, row in
            lines.append("\(index.name) \(key) \(row)")
            return true
          }
        case .bytes:
          try snapshot.index(index.id).forEach(prefix: []) { key, row in
            lines.append("\(index.name) \(key) \(row)")
            return true
          }
        }
      }
    }
    lines += try log("history").entries(in: .min ... .max).map { "\($0)" }
    lines.append("\(try snapshot.rootRecord("progress") ?? [])")
    return lines
  }
}
