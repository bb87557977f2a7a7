extension TableWriter {
  /// Changed collections above which all are written back.
  static let openCollectionLimit = 4096

  // Lists. A position out of range is a programmer error.

  /// Inserts an element into a list.
  ///
  /// - Precondition: `position` is in `0...count`.
  /// - Throws: ``StorageError`` with code `corrupt` when the row does not live, or a page is damaged.
  /// - Complexity: O(log n).
  public func insertElement(_ value: StoredValue, at position: Int, _ column: ColumnID, row: RowKey) throws {
    let editor = try listEditor(column, row)
    precondition(position >= 0 && position <= editor.count, "a list position is at most the count")
    try editor.insert(StoredValueCoding.encode(value), at: position)
  }

  /// Appends elements to a list.
  ///
  /// - Throws: ``StorageError`` as ``insertElement(_:at:_:row:)``.
  /// - Complexity: O(log n) for each element.
  public func appendElements(_ values: some Sequence<StoredValue>, _ column: ColumnID, row: RowKey) throws {
    let editor = try listEditor(column, row)
    for value in values { try editor.insert(StoredValueCoding.encode(value), at: editor.count) }
  }

  /// Replaces an element of a list.
  ///
  /// - Precondition: `position` is in `0..<count`.
  /// - Throws: ``StorageError`` as ``insertElement(_:at:_:row:)``.
  /// - Complexity: O(log n).
  public func setElement(_ value: StoredValue, at position: Int, _ column: ColumnID, row: RowKey) throws {
    let editor = try listEditor(column, row)
    precondition(position >= 0 && position < editor.count, "a list position is below the count")
    try editor.replace(at: position, with: StoredValueCoding.encode(value))
  }

  /// Removes an element of a list.
  ///
  /// - Precondition: `position` is in `0..<count`.
  /// - Throws: ``StorageError`` as ``insertElement(_:at:_:row:)``.
  /// - Complexity: O(log n).
  public func removeElement(at position: Int, _ column: ColumnID, row: RowKey) throws {
    let editor = try listEditor(column, row)
    precondition(position >= 0 && position < editor.count, "a list position is below the count")
    _ = try editor.remove(at: position)
  }

  /// Moves the element at `source` so that it stands at `target` afterwards.
  ///
  /// - Precondition: both are in `0..<count`.
  /// - Throws: ``StorageError`` as ``insertElement(_:at:_:row:)``.
  /// - Complexity: O(log n).
  public func moveElement(from source: Int, to target: Int, _ column: ColumnID, row: RowKey) throws {
    let editor = try listEditor(column, row)
    let positions = 0..<editor.count
    precondition(positions.contains(source) && positions.contains(target), "a list position is below the count")
    try editor.insert(try editor.remove(at: source), at: target)
  }

  /// Removes all elements of a list.
  ///
  /// - Throws: ``StorageError`` as ``insertElement(_:at:_:row:)``.
  /// - Complexity: O(pages).
  public func removeAllElements(_ column: ColumnID, row: RowKey) throws { try listEditor(column, row).removeAll() }

  // Maps.

  /// Puts `value` under `key` in a map, replacing the entry there.
  ///
  /// - Throws: ``StorageError`` as ``insertElement(_:at:_:row:)``.
  /// - Complexity: O(log n), amortised.
  public func setEntry(_ value: StoredValue, for key: [UInt8], _ column: ColumnID, row: RowKey) throws {
    try mapEditor(column, row).set(key, StoredValueCoding.encode(value))
  }

  /// Removes an entry of a map.
  ///
  /// - Returns: whether there was one.
  /// - Throws: ``StorageError`` as ``insertElement(_:at:_:row:)``.
  /// - Complexity: O(log n), amortised.
  @discardableResult
  public func removeEntry(for key: [UInt8], _ column: ColumnID, row: RowKey) throws -> Bool {
    let editor = try mapEditor(column, row)
    guard try editor.reader.content(for: key) != nil else { return false }
    try editor.set(key, nil)
    return true
  }

  /// Removes all entries of a map.
  ///
  /// - Throws: ``StorageError`` as ``insertElement(_:at:_:row:)``.
  /// - Complexity: O(pages).
  public func removeAllEntries(_ column: ColumnID, row: RowKey) throws { try mapEditor(column, row).removeAll() }

  private func prepare(_ column: ColumnID, _ row: RowKey, _ type: ColumnType) throws -> Cluster {
    let cluster = try own(row)
    precondition(
      cluster.column(column)?.type == type, "a collection is changed by the methods of its column's type")
    guard cluster.isAlive(row.slot) else { throw noRow }
    cluster.markSet(column.rawValue, row.slot)
    return cluster
  }

  private func listEditor(_ column: ColumnID, _ row: RowKey) throws -> ListEditor {
    let key = CellKey(row: row, column: column)
    if let editor = lists[key] { return editor }
    if lists.count >= Self.openCollectionLimit { try finishCollections() }
    let cluster = try prepare(column, row, .list)
    let editor = try ListEditor(try ListCell(cluster, column, row.slot), store: store)
    lists[key] = editor
    return editor
  }

  private func mapEditor(_ column: ColumnID, _ row: RowKey) throws -> MapEditor {
    let key = CellKey(row: row, column: column)
    if let editor = maps[key] { return editor }
    if maps.count >= Self.openCollectionLimit { try finishCollections() }
    let cluster = try prepare(column, row, .map)
    let editor = MapEditor(try MapCell(cluster, column, row.slot), store: store)
    maps[key] = editor
    return editor
  }

  func list(_ column: ColumnID, _ row: RowKey) throws -> StoredList {
    if let editor = lists[CellKey(row: row, column: column)] { return StoredList(root: editor.root, loader: loader) }
    guard let cluster = try cluster(row.clusterIndex) else { return .empty(loader) }
    return try StoredList(try ListCell(cluster, column, row.slot), loader: loader)
  }

  func map(_ column: ColumnID, _ row: RowKey) throws -> StoredMap {
    if let editor = maps[CellKey(row: row, column: column)] { return editor.reader }
    guard let cluster = try cluster(row.clusterIndex) else { return StoredMap(.empty, loader: loader) }
    return StoredMap(try MapCell(cluster, column, row.slot), loader: loader)
  }

  /// Writes changed collections back into their cells.
  func finishCollections() throws {
    guard !lists.isEmpty || !maps.isEmpty else { return }
    let (changedLists, changedMaps) = (lists, maps)
    lists.removeAll(keepingCapacity: true)
    maps.removeAll(keepingCapacity: true)
    for key in changedLists.keys.sorted(by: { $0.row < $1.row }) {
      if let editor = changedLists[key] { try put(try editor.finish(), key) }
    }
    for key in changedMaps.keys.sorted(by: { $0.row < $1.row }) {
      if let editor = changedMaps[key] { try put(try editor.finish(), key) }
    }
  }

  private func put(_ content: [UInt8], _ key: CellKey) throws {
    let cluster = try own(key.row)
    content.withUnsafeBytes { cluster.setBytes($0, key.column.rawValue, key.row.slot) }
  }
}
