extension WriteTransaction {
  /// The writer of one table; hold it to write many cells.
  /// - Throws: ``StorageError`` with code `corrupt` when there is none: whoever asked was led here by the file.
  public func writer(of table: TableID) throws -> TableWriter {
    guard let writer = existingWriter(table) else {
      throw StorageError.damage("Table \(table.rawValue) is referred to and does not exist.")
    }
    return writer
  }

  func existingWriter(_ table: TableID) -> TableWriter? {
    state.checkOpen()
    if let writer = madeWriter(table) { return writer.isDropped ? nil : writer }
    guard let known = base.table(table) else { return nil }
    let writer = TableWriter(known, transaction: state)
    keep(writer)
    return writer
  }

  @inline(__always) private func madeWriter(_ table: TableID) -> TableWriter? {
    table.rawValue >= 0 && table.rawValue < writers.count ? writers[table.rawValue] : nil
  }

  func keep(_ writer: TableWriter) {
    if writers.count <= writer.id.rawValue {
      writers += repeatElement(nil, count: max(nextTable, writer.id.rawValue + 1) - writers.count)
    }
    writers[writer.id.rawValue] = writer
  }

  /// The writer if there is one, without making it.
  private func current(_ table: TableID) -> (writer: TableWriter?, state: TableState?) {
    if let writer = madeWriter(table) { return (writer.isDropped ? nil : writer, nil) }
    return (nil, base.table(table))
  }

  public var tables: [TableDefinition] { (0..<nextTable).compactMap { table(TableID($0)) } }

  public func table(_ id: TableID) -> TableDefinition? {
    let (writer, state) = current(id)
    return writer?.definition ?? state?.definition
  }

  public func table(named name: String) -> TableDefinition? { names[name].flatMap(table) }

  public func rowCount(of table: TableID) -> Int {
    let (writer, state) = current(table)
    return writer?.rowCount ?? state?.rowCount ?? 0
  }

  public func clusterCount(of table: TableID) -> Int {
    let (writer, state) = current(table)
    return writer?.clusterCount ?? state?.clusterCount ?? 0
  }

  public func nextRow(of table: TableID) -> RowKey {
    let (writer, state) = current(table)
    return RowKey(writer?.hot.nextRow ?? state?.nextRow ?? 0)
  }

  public func cluster(_ index: Int, of table: TableID) throws -> Cluster? {
    let (writer, state) = current(table)
    if let writer { return try writer.cluster(index) }
    return try state?.clusterMap.cluster(index, self.state.store.loader)
  }

  public var recordsVersion: SnapshotVersion? {
    areRecordsChanged ? nil : SnapshotVersion(base.records.version)
  }

  public func rootRecord(_ name: String) throws -> [UInt8]? {
    try records[name].map { try state.store.loader.node($0, BytesNode.self).bytes }
  }

  public func list(_ column: ColumnID, row: RowKey, of table: TableID) throws -> StoredList {
    try writer(of: table).list(column, row)
  }

  public func map(_ column: ColumnID, row: RowKey, of table: TableID) throws -> StoredMap {
    try writer(of: table).map(column, row)
  }

  public func index(_ id: IndexID) throws -> IndexReader {
    switch try indexWriter(id) {
    case .int(let writer): IndexReader(source: .intWriter(writer))
    case .bytes(let writer): IndexReader(source: .bytesWriter(writer))
    }
  }

  @inline(__always) func indexWriter(_ id: IndexID) throws -> IndexWriter {
    if id.rawValue >= 0, id.rawValue < indexes.count, let known = indexes[id.rawValue] { return known.writer }
    if let (table, _) = base.location(of: id), let index = existingWriter(TableID(table))?.index(id) {
      keep(index, id, of: TableID(table))
      return index
    }
    throw StorageError.damage("Index \(id.rawValue) is referred to and does not exist.")
  }

  func keep(_ index: IndexWriter, _ id: IndexID, of table: TableID) {
    if indexes.count <= id.rawValue {
      indexes += repeatElement(nil, count: max(nextIndex, id.rawValue + 1) - indexes.count)
    }
    indexes[id.rawValue] = (index, table)
  }
}
