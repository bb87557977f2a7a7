// Index entries and records.
extension WriteTransaction {
  /// Adds an entry to an index of kind ``IndexKind/int``; harmless when it is there.
  public func insert(_ key: Int64, row: RowKey, into index: IndexID) throws { try edit(key, row, index, ()) }

  /// Removes an entry from an index of kind ``IndexKind/int``; harmless when it is not there.
  public func remove(_ key: Int64, row: RowKey, from index: IndexID) throws { try edit(key, row, index, nil) }

  @inline(__always) private func edit(_ key: Int64, _ row: RowKey, _ index: IndexID, _ content: Void?) throws {
    guard case .int(let writer) = try indexWriter(index) else {
      throw StorageError.damage("Index \(index.rawValue) has not the integer keys that its class puts in.")
    }
    try writer.add(IntKey(number: key, row: row.rawValue), content, hash: KeyHash.of(key))
  }

  /// The least row with this key in an index of kind ``IndexKind/int``; nil when there is none.
  public func firstRow(_ key: Int64, in index: IndexID) throws -> RowKey? {
    guard case .int(let writer) = try indexWriter(index) else { return nil }
    return try writer.firstRow(key)
  }

  /// Adds an entry to an index of kind ``IndexKind/bytes``; harmless when it is there.
  public func insert(_ key: [UInt8], row: RowKey, into index: IndexID) throws { try edit(key, row, index, []) }

  /// Removes an entry from an index of kind ``IndexKind/bytes``; harmless when it is not there.
  public func remove(_ key: [UInt8], row: RowKey, from index: IndexID) throws { try edit(key, row, index, nil) }

  private func edit(_ key: [UInt8], _ row: RowKey, _ index: IndexID, _ content: [UInt8]?) throws {
    guard case .bytes(let writer) = try indexWriter(index) else {
      throw StorageError.damage("Index \(index.rawValue) has not the byte strings that its class puts in.")
    }
    try writer.add(IndexKeys.entry(key, row), content, hash: KeyHash.of(key))
  }

  /// Sets or removes the bytes kept in the snapshot under `name`.
  public func setRootRecord(_ name: String, _ content: [UInt8]?) throws {
    state.checkOpen()
    try state.store.retire(records[name] ?? 0)
    records[name] = try content.map { try state.store.writeBytes($0) }
    areRecordsChanged = true
  }

  /// A log outside of snapshots, for reading with this transaction's writes and for writing.
  public func log(_ name: String) throws -> LogWriter {
    state.checkOpen()
    return LogWriter(name: name, transaction: self)
  }

  /// What it says of logs.
  var logs: LogStates {
    if let madeLogs { return madeLogs }
    let logs = LogStates(base.logs ?? .empty, store: state.store)
    madeLogs = logs
    return logs
  }
}
