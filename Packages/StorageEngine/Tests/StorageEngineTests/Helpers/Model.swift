import StorageEngine
import TestKit
import Testing

/// A whole store as plain dictionaries, and the random changes that are made to both.
struct Model: Equatable {
  var tables: [TableID: ModelTable] = [:]
  var records: [String: [UInt8]] = [:]

  /// One random change to the model and to the transaction.
  mutating func change(_ transaction: WriteTransaction, using random: inout SeededGenerator) throws {
    let ids = tables.keys.sorted()
    guard let id = ids.randomElement(using: &random), var table = tables[id] else {
      return try createTable(transaction, using: &random)
    }
    if random.oneIn(60) { return try createTable(transaction, using: &random) }
    if random.oneIn(300) {
      try transaction.dropTable(id)
      tables[id] = nil
      return
    }
    if random.oneIn(50) {
      let name = "record\(Int.random(in: 0..<3, using: &random))"
      let content: [UInt8]? = random.oneIn(3) ? nil : Array(repeating: 7, count: Int.random(in: 0..<99, using: &random))
      try transaction.setRootRecord(name, content)
      records[name] = content
      return
    }
    try table.change(transaction, using: &random)
    tables[id] = table
  }

  private mutating func createTable(_ transaction: WriteTransaction, using random: inout SeededGenerator) throws {
    guard tables.count < 4 else { return }
    let name = "table\(random.next())"
    let id = try transaction.createTable(name)
    var table = ModelTable(id: id, name: name)
    for _ in 0..<3 { try table.addColumn(transaction, using: &random) }
    table.intIndex = try transaction.createIndex("int", .int, on: id)
    table.bytesIndex = try transaction.createIndex("bytes", .bytes, on: id)
    tables[id] = table
  }

  /// Compares everything that can be read.
  func expectEqual(to reader: some StorageReader, _ comment: Comment) throws {
    #expect(reader.tables.map(\.id) == tables.keys.sorted(), comment)
    for (name, content) in records { #expect(try reader.rootRecord(name) == content, comment) }
    for table in tables.values { try table.expectEqual(to: reader, comment) }
  }
}

extension ModelTable {
  mutating func addColumn(_ transaction: WriteTransaction, using random: inout SeededGenerator) throws {
    guard let type = ColumnType.allCases.randomElement(using: &random) else { return }
    let name = "column\(random.next())"
    let isNullable = Bool.random(using: &random) && type != .list && type != .map
    let column = try transaction.addColumn(name, type, isNullable: isNullable, to: id)
    let new = Column(id: column, name: name, type: type, isNullable: isNullable || type == .link || type == .mixed)
    columns.append(new)
    for row in rows.keys { rows[row]?[column] = Self.initial(new) }
  }

  mutating func change(_ transaction: WriteTransaction, using random: inout SeededGenerator) throws {
    let writer = try transaction.writer(of: id)
    let kind = random.pick([(20, 0), (6, 1), (40, 2), (1, 3), (1, 4), (10, 5), (10, 6), (1, 7)])
    switch kind {
    case 0:
      for _ in 0..<Int.random(in: 1...(random.oneIn(10) ? 400 : 10), using: &random) {
        let row = try writer.insertRow()
        #expect(rows[row] == nil)
        rows[row] = Dictionary(uniqueKeysWithValues: columns.map { ($0.id, Self.initial($0)) })
      }
    case 1:
      guard let row = rows.keys.sorted().randomElement(using: &random) else { return }
      try writer.deleteRow(row)
      rows[row] = nil
    case 2:
      guard let row = rows.keys.sorted().randomElement(using: &random) else { return }
      guard let column = columns.randomElement(using: &random) else { return }
      try changeCell(writer, column, row, using: &random)
    case 3: try addColumn(transaction, using: &random)
    case 4:
      guard columns.count > 1, let at = columns.indices.randomElement(using: &random) else { return }
      let column = columns.remove(at: at)
      try transaction.dropColumn(column.id, of: id)
      for row in rows.keys { rows[row]?[column.id] = nil }
    case 5:
      guard let index = intIndex else { return }
      for _ in 0..<Int.random(in: 1...(random.oneIn(10) ? 900 : 5), using: &random) {
        let entry = [Int64.random(in: -200...200, using: &random), Int64.random(in: 0..<9, using: &random)]
        if random.oneIn(3) {
          try transaction.remove(entry[0], row: RowKey(entry[1]), from: index)
          intEntries.remove(entry)
        } else {
          try transaction.insert(entry[0], row: RowKey(entry[1]), into: index)
          intEntries.insert(entry)
        }
      }
    case 6:
      guard let index = bytesIndex else { return }
      for _ in 0..<Int.random(in: 1...(random.oneIn(10) ? 900 : 5), using: &random) {
        let key =
          (0..<Int.random(in: 0...3, using: &random)).map { _ in [0, 1, 0x61, 0xFF].randomElement(using: &random) ?? 0 }
          as [UInt8]
        let row = UInt8.random(in: 0..<9, using: &random)
        if random.oneIn(3) {
          try transaction.remove(key, row: RowKey(Int64(row)), from: index)
          bytesEntries.remove(key + [row])
        } else {
          try transaction.insert(key, row: RowKey(Int64(row)), into: index)
          bytesEntries.insert(key + [row])
        }
      }
    default:
      guard random.oneIn(10) else { return }
      try writer.deleteAllRows()
      rows = [:]
    }
  }

  private mutating func changeCell(
    _ writer: TableWriter, _ column: Column, _ row: RowKey, using random: inout SeededGenerator
  ) throws {
    switch rows[row]?[column.id] {
    case .list(var elements):
      for _ in 0..<Int.random(in: 1...(random.oneIn(8) ? 700 : 4), using: &random) {
        let position = Int.random(in: 0...elements.count, using: &random)
        let value = StoredValue.random(.mixed, using: &random)
        switch random.pick([(6, 0), (2, 1), (2, 2), (1, 3)]) {
        case 1 where position < elements.count:
          try writer.removeElement(at: position, column.id, row: row)
          elements.remove(at: position)
        case 2 where position < elements.count:
          try writer.setElement(value, at: position, column.id, row: row)
          elements[position] = value
        case 3 where position < elements.count:
          let target = Int.random(in: 0..<elements.count, using: &random)
          try writer.moveElement(from: position, to: target, column.id, row: row)
          elements.insert(elements.remove(at: position), at: target)
        default:
          try writer.insertElement(value, at: position, column.id, row: row)
          elements.insert(value, at: position)
        }
      }
      if random.oneIn(10) {
        try writer.removeAllElements(column.id, row: row)
        elements = []
      }
      rows[row]?[column.id] = .list(elements)
    case .map(var entries):
      for _ in 0..<Int.random(in: 1...(random.oneIn(8) ? 500 : 4), using: &random) {
        let key = Array("key\(Int.random(in: 0..<300, using: &random))".utf8)
        if random.oneIn(3) {
          #expect(try writer.removeEntry(for: key, column.id, row: row) == (entries.removeValue(forKey: key) != nil))
        } else {
          let value = StoredValue.random(.mixed, using: &random)
          try writer.setEntry(value, for: key, column.id, row: row)
          entries[key] = value
        }
      }
      rows[row]?[column.id] = .map(entries)
    default:
      let value: StoredValue = column.isNullable && random.oneIn(4) ? .null : .random(column.type, using: &random)
      try writer.set(value, column.id, row: row, mixed: column.type == .mixed)
      rows[row]?[column.id] = .value(value)
    }
  }

  func expectEqual(to reader: some StorageReader, _ comment: Comment) throws {
    #expect(reader.table(named: name)?.id == id, comment)
    #expect(reader.table(id)?.columns.map(\.id) == columns.map(\.id), comment)
    #expect(reader.rowCount(of: id) == rows.count, comment)
    var found: [RowKey] = []
    try reader.forEachRow(of: id) { found.append($0) }
    try #require(found == rows.keys.sorted(), comment)
    for row in found {
      for column in columns {
        let cell = try reader.cell(column, row, id)
        try #require(rows[row]?[column.id]?.isIdentical(to: cell) ?? false, "\(comment) \(row) \(column)")
      }
    }
    if let intIndex {
      var entries: [[Int64]] = []
      try reader.index(intIndex).forEach(in: .min ... .max) { key, row in
        entries.append([key, row.rawValue])
        return true
      }
      try #require(entries == intEntries.sorted { $0.lexicographicallyPrecedes($1) }, comment)
    }
    if let bytesIndex {
      var entries: [[UInt8]] = []
      try reader.index(bytesIndex).forEach(prefix: []) { key, row in
        entries.append(key + [UInt8(row.rawValue)])
        return true
      }
      // Key first, then row: the row must not take part in comparing keys.
      let expected = bytesEntries.sorted {
        let (left, right) = ($0.dropLast(), $1.dropLast())
        return left.elementsEqual(right) ? $0[$0.count - 1] < $1[$1.count - 1] : left.lexicographicallyPrecedes(right)
      }
      try #require(entries == expected, comment)
    }
  }
}
