extension WriteTransaction {
  /// The writer of one table; hold it to write many cells.
  ///
  /// - Throws: ``StorageError`` with code `corrupt` when there is no such table: the caller found it in the file.
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

  // Inlined: once per inserted value. Serves store.insert-1m.
  @inline(__always) private func madeWriter(_ table: TableID) -> TableWriter? {
    table.rawValue >= 0 && table.rawValue < writers.count ? writers[table.rawValue] : nil
  }

  func keep(_ writer: TableWriter) {
    if writers.count <= writer.id.rawValue {
      writers += repeatElement(nil, count: max(nextTable, writer.id.rawValue + 1) - writers.count)
    }
    writers[writer.id.rawValue] = writer
  }

  /// The writer if there is one; else the table of the base version.
  private func current(_ table: TableID) -> (writer: TableWriter?, state: TableState?) {
    if let writer = madeWriter(table) { return (writer.isDropped ? nil : writer, nil) }
    return (nil, base.table(table))
  }

  /// All tables, new ones included, ascending by ``TableID``.
  public var tables: [TableDefinition] { (0..<nextTable).compactMap { table(TableID($0)) } }

  /// The table with an identifier; nil when there is none.
  public func table(_ id: TableID) -> TableDefinition? {
    let (writer, state) = current(id)
    return writer?.definition ?? state?.definition
  }

  /// The table of a name; nil when there is none.
  public func table(named name: String) -> TableDefinition? { names[name].flatMap(table) }

  /// Live rows of a table.
  public func rowCount(of table: TableID) -> Int {
    let (writer, state) = current(table)
    return writer?.rowCount ?? state?.rowCount ?? 0
  }

  /// Clusters of a table are numbered below this.
  public func clusterCount(of table: TableID) -> Int {
    let (writer, state) = current(table)
    return writer?.clusterCount ?? state?.clusterCount ?? 0
  }

  /// The key that the next inserted row of a table will have.
  public func nextRow(of table: TableID) -> RowKey {
    let (writer, state) = current(table)
    return RowKey(writer?.hot.nextRow ?? state?.nextRow ?? 0)
  }

  /// The cluster with a number, with the writes of the transaction; nil where no row lives.
  ///
  /// - Throws: ``StorageError`` with code `corrupt` when a node is damaged, and with other codes when the file cannot
  ///   be read.
  public func cluster(_ index: Int, of table: TableID) throws -> Cluster? {
    let (writer, state) = current(table)
    if let writer { return try writer.cluster(index) }
    return try state?.clusterMap.cluster(index, self.state.store.loader)
  }

  /// The version of the root records; nil once the transaction changed them.
  public var recordsVersion: SnapshotVersion? {
    areRecordsChanged ? nil : SnapshotVersion(base.records.version)
  }

  /// The bytes of a root record; nil when there are none.
  ///
  /// - Throws: ``StorageError`` with code `corrupt` when its node is damaged.
  public func rootRecord(_ name: String) throws -> [UInt8]? {
    try records[name].map { try state.store.loader.node($0, BytesNode.self).bytes }
  }

  /// The list in a list cell; empty when null or never set.
  ///
  /// - Throws: ``StorageError`` with code `corrupt` when a node is damaged.
  public func list(_ column: ColumnID, row: RowKey, of table: TableID) throws -> StoredList {
    try writer(of: table).list(column, row)
  }

  /// The map in a map cell; empty when null or never set.
  ///
  /// - Throws: ``StorageError`` with code `corrupt` when a node is damaged.
  public func map(_ column: ColumnID, row: RowKey, of table: TableID) throws -> StoredMap {
    try writer(of: table).map(column, row)
  }

  /// The entries of an index, with the writes of the transaction.
  ///
  /// - Throws: ``StorageError`` with code `corrupt` when there is no such index.
  public func index(_ id: IndexID) throws -> IndexReader {
    switch try indexWriter(id) {
    case .int(let writer): IndexReader(source: .intWriter(writer))
    case .bytes(let writer): IndexReader(source: .bytesWriter(writer))
    }
  }

  // Inlined: once per inserted value. Serves store.insert-1m.
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
