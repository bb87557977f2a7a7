public import DataModel
public import FoundationEssentials

// Functions that run once per value are inlined everywhere. Serves store.property-write and store.insert-1m.
extension TableWriter {
  /// The owned cluster of a live row, after a check of the column's type.
  @inline(__always) private func cell(_ column: ColumnID, _ row: RowKey, _ type: ColumnType) throws -> Cluster {
    let cluster = try own(row)
    try check(cluster, column, row, type)
    cluster.markSet(column.rawValue, row.slot)
    return cluster
  }

  /// Calls `body` with the cells of a column in the owned cluster of a live row, without counting a reference: the
  /// cluster stays with the transaction, and `body` only writes the cell.
  @inline(__always) private func write(
    _ column: ColumnID, _ row: RowKey, _ type: ColumnType, _ body: (UnsafeMutableRawPointer) -> Void
  ) throws {
    try lend(row)._withUnsafeGuaranteedRef { cluster in
      try check(cluster, column, row, type)
      cluster.markSet(column.rawValue, row.slot)
      body(cluster.columns[column.rawValue].values)
    }
  }

  @inline(__always) private func check(
    _ cluster: Cluster, _ column: ColumnID, _ row: RowKey, _ type: ColumnType
  ) throws {
    let number = column.rawValue
    precondition(
      number >= 0 && number < cluster.columnCount && cluster.columns[number].typeCode == type.rawValue,
      "a cell is written by the setter of its column's type")
    guard cluster.isAlive(row.slot) else { throw noRow }
  }

  /// Sets a cell of an int column.
  ///
  /// - Precondition: the column has that type.
  /// - Throws: ``StorageError`` with code `corrupt` when the row does not live, or its cluster is damaged.
  public func setInt(_ value: Int64, _ column: ColumnID, row: RowKey) throws {
    try lend(row)._withUnsafeGuaranteedRef { cluster in
      try check(cluster, column, row, .int)
      cluster.setInt(value, column.rawValue, row.slot)
    }
  }

  /// Sets a cell of a double column; see ``setInt(_:_:row:)``.
  ///
  /// - Throws: ``StorageError`` with code `corrupt` when the row does not live, or its cluster is damaged.
  public func setDouble(_ value: Double, _ column: ColumnID, row: RowKey) throws {
    try write(column, row, .double) { $0.assumingMemoryBound(to: Double.self)[row.slot] = value }
  }

  /// Sets a cell of a float column; see ``setInt(_:_:row:)``.
  ///
  /// - Throws: ``StorageError`` with code `corrupt` when the row does not live, or its cluster is damaged.
  public func setFloat(_ value: Float, _ column: ColumnID, row: RowKey) throws {
    try write(column, row, .float) { $0.assumingMemoryBound(to: Float.self)[row.slot] = value }
  }

  /// Sets a cell of a bool column; see ``setInt(_:_:row:)``.
  ///
  /// - Throws: ``StorageError`` with code `corrupt` when the row does not live, or its cluster is damaged.
  public func setBool(_ value: Bool, _ column: ColumnID, row: RowKey) throws {
    try write(column, row, .bool) { values in
      let words = values.assumingMemoryBound(to: UInt64.self)
      let bit: UInt64 = 1 << UInt64(row.slot & 63)
      if value { words[row.slot >> 6] |= bit } else { words[row.slot >> 6] &= ~bit }
    }
  }

  /// Sets a cell of a timestamp column; see ``setInt(_:_:row:)``.
  ///
  /// - Throws: ``StorageError`` with code `corrupt` when the row does not live, or its cluster is damaged.
  public func setTimestamp(_ value: Timestamp, _ column: ColumnID, row: RowKey) throws {
    try write(column, row, .timestamp) { values in
      values.assumingMemoryBound(to: Int64.self)[row.slot] = value.seconds
      (values + 2048).assumingMemoryBound(to: Int32.self)[row.slot] = value.nanoseconds
    }
  }

  /// Sets a cell of a decimal128 column; see ``setInt(_:_:row:)``.
  ///
  /// - Throws: ``StorageError`` with code `corrupt` when the row does not live, or its cluster is damaged.
  public func setDecimal128(_ value: Decimal128, _ column: ColumnID, row: RowKey) throws {
    let cluster = try cell(column, row, .decimal128)
    let halves = cluster.columns[column.rawValue].values.assumingMemoryBound(to: UInt64.self)
    halves[row.slot * 2] = value.low
    halves[row.slot * 2 + 1] = value.high
  }

  /// Sets a cell of an objectId column; see ``setInt(_:_:row:)``.
  ///
  /// - Throws: ``StorageError`` with code `corrupt` when the row does not live, or its cluster is damaged.
  public func setObjectId(_ value: ObjectId, _ column: ColumnID, row: RowKey) throws {
    let cluster = try cell(column, row, .objectId)
    let target = cluster.columns[column.rawValue].values + row.slot * 12
    value.bytes.withUnsafeBytes { if let start = $0.baseAddress { target.copyMemory(from: start, byteCount: 12) } }
  }

  /// Sets a cell of a uuid column; see ``setInt(_:_:row:)``.
  ///
  /// - Throws: ``StorageError`` with code `corrupt` when the row does not live, or its cluster is damaged.
  public func setUUID(_ value: UUID, _ column: ColumnID, row: RowKey) throws {
    let cluster = try cell(column, row, .uuid)
    (cluster.columns[column.rawValue].values + row.slot * 16).storeBytes(of: value.uuid, as: uuid_t.self)
  }

  /// Sets a cell of a link column; ``RowKey/none`` makes it null. See ``setInt(_:_:row:)``.
  ///
  /// - Throws: ``StorageError`` with code `corrupt` when the row does not live, or its cluster is damaged.
  public func setLink(_ value: RowKey, _ column: ColumnID, row: RowKey) throws {
    let cluster = try cell(column, row, .link)
    cluster.columns[column.rawValue].values.assumingMemoryBound(to: Int64.self)[row.slot] = value.rawValue
    if value == .none { cluster.clearCell(column.rawValue, row.slot, isNull: true) }
  }

  /// Sets a cell of a string column; see ``setInt(_:_:row:)``.
  ///
  /// - Throws: ``StorageError`` with code `tooLarge` from 1 GiB on; `corrupt` when the row does not live, or its
  ///   cluster is damaged.
  public func setString(_ value: String, _ column: ColumnID, row: RowKey) throws {
    var value = value
    try value.withUTF8 { try setString(utf8: UnsafeRawBufferPointer($0), column, row: row) }
  }

  /// Sets a cell of a string column; see ``setInt(_:_:row:)``.
  ///
  /// - Parameter bytes: valid UTF-8.
  /// - Throws: ``StorageError`` with code `tooLarge` from 1 GiB on; `corrupt` when the row does not live, or its
  ///   cluster is damaged.
  public func setString(utf8 bytes: UnsafeRawBufferPointer, _ column: ColumnID, row: RowKey) throws {
    try setVariable(bytes, column, row, .string)
  }

  /// Sets a cell of a data column; see ``setInt(_:_:row:)``.
  ///
  /// - Throws: ``StorageError`` with code `tooLarge` from 1 GiB on; `corrupt` when the row does not live, or its
  ///   cluster is damaged.
  public func setData(_ value: [UInt8], _ column: ColumnID, row: RowKey) throws {
    try value.withUnsafeBytes { try setData($0, column, row: row) }
  }

  /// Sets a cell of a data column; see ``setInt(_:_:row:)``.
  ///
  /// - Throws: ``StorageError`` with code `tooLarge` from 1 GiB on; `corrupt` when the row does not live, or its
  ///   cluster is damaged.
  public func setData(_ bytes: UnsafeRawBufferPointer, _ column: ColumnID, row: RowKey) throws {
    try setVariable(bytes, column, row, .data)
  }

  /// Sets a cell of a mixed column; ``StoredValue/null`` makes it null. See ``setInt(_:_:row:)``.
  ///
  /// - Throws: ``StorageError`` with code `tooLarge` from 1 GiB on; `corrupt` when the row does not live, or its
  ///   cluster is damaged.
  public func setMixed(_ value: StoredValue, _ column: ColumnID, row: RowKey) throws {
    if value == .null { return try setNull(column, row: row) }
    try StoredValueCoding.encode(value).withUnsafeBytes { try setVariable($0, column, row, .mixed) }
  }

  /// Makes a cell null, of a nullable, link or mixed column.
  ///
  /// - Precondition: the column may be null.
  /// - Throws: ``StorageError`` with code `corrupt` when the row does not live, or its cluster is damaged.
  public func setNull(_ column: ColumnID, row: RowKey) throws {
    guard let shape = shapes[column] else { preconditionFailure("a cell that is written has a column") }
    precondition(shape.isNullable || shape.type == .link || shape.type == .mixed, "null needs a nullable column")
    let cluster = try cell(column, row, shape.type)
    if shape.type.isVariable { try releaseCell(shape, row, cluster) }
    cluster.clearCell(column.rawValue, row.slot, isNull: true)
  }

  /// Whether a cell is null, of a row that lives.
  ///
  /// - Throws: ``StorageError`` with code `corrupt` when its cluster is damaged.
  public func isNull(_ column: ColumnID, row: RowKey) throws -> Bool {
    guard hot.index == row.clusterIndex, let cluster = hot.cluster else {
      return try cluster(row.clusterIndex)?.isNullCell(column, slot: row.slot) ?? false
    }
    return cluster._withUnsafeGuaranteedRef { $0.isNullCell(column, slot: row.slot) }
  }

  private func setVariable(
    _ bytes: UnsafeRawBufferPointer, _ column: ColumnID, _ row: RowKey, _ type: ColumnType
  ) throws {
    let number = column.rawValue
    try lend(row)._withUnsafeGuaranteedRef { cluster in
      try check(cluster, column, row, type)
      if cluster.columns[number].hasExternalCells, let old = cluster.externalNode(number, slot: row.slot) {
        try store.retire(old)
      }
      guard bytes.count > Cluster.inlineLimit else { return cluster.setBytes(bytes, number, row.slot) }
      guard bytes.count < 1 << 30 else {
        throw StorageError(.tooLarge, "A value of \(bytes.count) bytes exceeds 1 GiB. Split it over several rows.")
      }
      var reference = NodeWriter()
      reference.fixed(try store.writeBytes(Array(bytes)))
      reference.fixed(Int64(bytes.count))
      reference.bytes.withUnsafeBytes { cluster.setBytes($0, number, row.slot, isExternal: true) }
    }
  }
}
