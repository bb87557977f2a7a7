// Tables, columns and indexes.
extension WriteTransaction {
  /// A new, empty table.
  /// - Throws: ``StorageError`` with code `corrupt` when a table has that name: the layer above, which names tables,
  ///   does not know of it, so the file contradicts itself. With code `tooLarge` when the file had 16,384 tables,
  ///   dropped ones included.
  public func createTable(_ name: String) throws -> TableID {
    state.checkOpen()
    guard names[name] == nil else { throw StorageError.damage("There is a table '\(name)' that no class knows.") }
    guard nextTable < 1 << 14 else {
      throw StorageError(.tooLarge, "The file had 16384 tables. Copy what it holds into a new file.")
    }
    let id = TableID(nextTable)
    nextTable += 1
    areTablesChanged = true
    keep(TableWriter(id: id, name: name, transaction: state))
    names[name] = id
    return id
  }

  /// Removes a table with its rows and indexes. Links to it elsewhere are the caller's to remove.
  ///
  /// - Throws: ``StorageError`` with code `corrupt` when there is no such table, or a page is damaged.
  /// - Complexity: O(size of the table).
  public func dropTable(_ table: TableID) throws {
    let writer = try writer(of: table)
    try writer.drop()
    for index in writer.definition.indexes where index.id.rawValue < indexes.count { indexes[index.id.rawValue] = nil }
    names[writer.definition.name] = nil
    areTablesChanged = true
  }

  /// Renames a table.
  ///
  /// - Throws: ``StorageError`` with code `corrupt` when there is no such table, or another one has that name.
  public func renameTable(_ table: TableID, to name: String) throws {
    let writer = try writer(of: table)
    guard names[name] == nil || names[name] == table else {
      throw StorageError.damage("There is a table '\(name)' that no class knows.")
    }
    names[writer.definition.name] = nil
    names[name] = table
    writer.definition = TableDefinition(
      id: table, name: name, columns: writer.definition.columns, indexes: writer.definition.indexes)
    writer.isDefinitionChanged = true
  }

  /// A new column; existing rows read null, or zero and empty. No row is rewritten. Link and mixed columns are always
  /// nullable.
  ///
  /// - Throws: ``StorageError`` with code `corrupt` when there is no such table, or it has a column of that name;
  ///   `tooLarge` when it had 4,096 columns, dropped ones included.
  public func addColumn(
    _ name: String, _ type: ColumnType, isNullable: Bool = false, target: TableID? = nil, attributes: UInt64 = 0,
    to table: TableID
  ) throws -> ColumnID {
    try writer(of: table).addColumn(name, type, isNullable, target, attributes)
  }

  /// Removes a column. No row is rewritten; a column of variable-length cells is read once to retire the nodes of its
  /// cells.
  ///
  /// - Throws: ``StorageError`` with code `corrupt` when there is no such column, or a cluster is damaged.
  public func dropColumn(_ column: ColumnID, of table: TableID) throws {
    try writer(of: table).dropColumn(column)
  }

  /// Renames a column.
  ///
  /// - Throws: ``StorageError`` with code `corrupt` when there is no such column.
  public func renameColumn(_ column: ColumnID, to name: String, of table: TableID) throws {
    try writer(of: table).changeColumn(column) { old in
      var new = old
      new.name = name
      return new
    }
  }

  /// Sets the attributes of a column, a number of the layer above.
  ///
  /// - Throws: ``StorageError`` with code `corrupt` when there is no such column.
  public func setAttributes(_ attributes: UInt64, ofColumn column: ColumnID, of table: TableID) throws {
    try writer(of: table).changeColumn(column) { old in
      ColumnDefinition(
        id: old.id, name: old.name, type: old.type, isNullable: old.isNullable, target: old.target,
        attributes: attributes)
    }
  }

  /// A new, empty index that belongs to a table. Its entries are the caller's to add and remove.
  ///
  /// - Throws: ``StorageError`` with code `corrupt` when there is no such table, or it has an index of that name;
  ///   `tooLarge` when it has 16,384 indexes.
  public func createIndex(_ name: String, _ kind: IndexKind, on table: TableID) throws -> IndexID {
    let writer = try writer(of: table)
    let id = IndexID(nextIndex)
    nextIndex += 1
    try writer.addIndex(id, name, kind)
    if let index = writer.index(id) { keep(index, id, of: table) }
    return id
  }

  /// Removes an index.
  ///
  /// - Throws: ``StorageError`` with code `corrupt` when there is no such index, or a page is damaged.
  /// - Complexity: O(pages).
  public func dropIndex(_ index: IndexID) throws {
    _ = try indexWriter(index)
    guard let table = indexes[index.rawValue]?.table else { return }
    try writer(of: table).dropIndex(index)
    indexes[index.rawValue] = nil
  }
}
