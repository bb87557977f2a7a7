extension TableWriter {
  func addColumn(
    _ name: String, _ type: ColumnType, _ isNullable: Bool, _ target: TableID?, _ attributes: UInt64
  ) throws -> ColumnID {
    guard definition.column(named: name) == nil else {
      throw StorageError.damage("Table '\(definition.name)' has a column '\(name)' that its class does not know.")
    }
    guard nextColumn < 4096 else {
      throw StorageError(.tooLarge, "Table '\(definition.name)' had 4096 columns. Move its rows to a new table.")
    }
    try finishCollections()
    let id = ColumnID(nextColumn)
    nextColumn += 1
    definition.columns.append(
      ColumnDefinition(
        id: id, name: name, type: type, isNullable: isNullable || type == .link || type == .mixed, target: target,
        attributes: attributes))
    isDefinitionChanged = true
    shapes.add(definition.columns[definition.columns.count - 1])
    forgetShapes()
    return id
  }

  func dropColumn(_ column: ColumnID) throws {
    guard let position = definition.columns.firstIndex(where: { $0.id == column }) else {
      throw StorageError.damage("Table '\(definition.name)' lacks a column that its class has.")
    }
    try finishCollections()
    let dropped = definition.columns[position]
    if dropped.type.isVariable {
      let shape = ColumnShape(id: column.rawValue, type: dropped.type, isNullable: dropped.isNullable)
      for index in 0..<clusterCount {
        guard let cluster = try cluster(index), cluster.column(column) != nil else { continue }
        try cluster.forEachLiveSlot { try releaseStored(shape, $0, cluster) }
      }
    }
    definition.columns.remove(at: position)
    isDefinitionChanged = true
    shapes = ColumnShapes(definition.columns, next: nextColumn)
    forgetShapes()
  }

  func changeColumn(_ column: ColumnID, _ body: (ColumnDefinition) -> ColumnDefinition) throws {
    guard let position = definition.columns.firstIndex(where: { $0.id == column }) else {
      throw StorageError.damage("Table '\(definition.name)' lacks a column that its class has.")
    }
    definition.columns[position] = body(definition.columns[position])
    isDefinitionChanged = true
  }

  func addIndex(_ id: IndexID, _ name: String, _ kind: IndexKind) throws {
    guard definition.index(named: name) == nil else {
      throw StorageError.damage("Table '\(definition.name)' has an index '\(name)' that its class does not know.")
    }
    guard definition.indexes.count < TableNode.indexLimit else {
      throw StorageError(.tooLarge, "Table '\(definition.name)' has \(TableNode.indexLimit) indexes.")
    }
    definition.indexes.append(IndexDefinition(id: id, name: name, kind: kind))
    keep(IndexWriter(kind, store: store), at: definition.indexes.count - 1)
    isDefinitionChanged = true
  }

  private func keep(_ writer: IndexWriter, at position: Int) {
    if indexes.count < definition.indexes.count {
      indexes += repeatElement(nil, count: definition.indexes.count - indexes.count)
    }
    indexes[position] = writer
  }

  /// The writer of an index of this table; nil when it has no such index.
  func index(_ id: IndexID) -> IndexWriter? {
    guard let position = definition.indexes.firstIndex(where: { $0.id == id }) else { return nil }
    if position < indexes.count, let known = indexes[position] { return known }
    guard let index = base?.index(id) else { return nil }
    let writer = IndexWriter(index, store: store)
    keep(writer, at: position)
    return writer
  }

  func dropIndex(_ id: IndexID) throws {
    guard let position = definition.indexes.firstIndex(where: { $0.id == id }) else { return }
    try index(id)?.removeAll()
    definition.indexes.remove(at: position)
    if position < indexes.count { indexes.remove(at: position) }
    isDefinitionChanged = true
  }
}
