// Index entries and records.
extension WriteTransaction {
  /// Adds an entry to an index of kind ``IndexKind/int``; harmless when it is there.
  ///
  /// - Throws: ``StorageError`` with code `corrupt` when there is no such index, or it is of the other kind.
  /// - Complexity: O(1), amortised; the commit merges the entry in O(log n).
  public func insert(_ key: Int64, row: RowKey, into index: IndexID) throws { try edit(key, row, index, ()) }

  /// Removes an entry from an index of kind ``IndexKind/int``; harmless when it is not there.
  ///
  /// - Throws: ``StorageError`` as ``insert(_:row:into:)-(Int64,_,_)``.
  public func remove(_ key: Int64, row: RowKey, from index: IndexID) throws { try edit(key, row, index, nil) }

  // Inlined: once per inserted value. Serves store.insert-1m.
  @inline(__always) private func edit(_ key: Int64, _ row: RowKey, _ index: IndexID, _ content: Void?) throws {
    guard case .int(let writer) = try indexWriter(index) else {
      throw StorageError.damage("Index \(index.rawValue) has not the integer keys that its class puts in.")
    }
    try writer.add(IntKey(number: key, row: row.rawValue), content, hash: KeyHash.of(key))
  }

  /// The least row with this key in an index of kind ``IndexKind/int``; nil when there is none.
  ///
  /// - Throws: ``StorageError`` with code `corrupt` when there is no such index, or a page is damaged.
  /// - Complexity: O(log n) in the entries of the index.
  public func firstRow(_ key: Int64, in index: IndexID) throws -> RowKey? {
    guard case .int(let writer) = try indexWriter(index) else { return nil }
    return try writer.firstRow(key)
  }

  /// Adds an entry to an index of kind ``IndexKind/bytes``; harmless when it is there.
  ///
  /// - Throws: ``StorageError`` with code `corrupt` when there is no such index, or it is of the other kind.
  /// - Complexity: O(1), amortised; the commit merges the entry in O(log n).
  public func insert(_ key: [UInt8], row: RowKey, into index: IndexID) throws { try edit(key, row, index, []) }

  /// Removes an entry from an index of kind ``IndexKind/bytes``; harmless when it is not there.
  ///
  /// - Throws: ``StorageError`` with code `corrupt` when there is no such index, or it is of the other kind.
  public func remove(_ key: [UInt8], row: RowKey, from index: IndexID) throws { try edit(key, row, index, nil) }

  private func edit(_ key: [UInt8], _ row: RowKey, _ index: IndexID, _ content: [UInt8]?) throws {
    guard case .bytes(let writer) = try indexWriter(index) else {
      throw StorageError.damage("Index \(index.rawValue) has not the byte strings that its class puts in.")
    }
    try writer.add(IndexKeys.entry(key, row), content, hash: KeyHash.of(key))
  }

  /// Sets or removes a root record.
  ///
  /// - Throws: ``StorageError`` when the disk refuses.
  public func setRootRecord(_ name: String, _ content: [UInt8]?) throws {
    state.checkOpen()
    try state.store.retire(records[name] ?? 0)
    records[name] = try content.map { try state.store.writeBytes($0) }
    areRecordsChanged = true
  }

  /// A log outside of snapshots, for reading with this transaction's writes and for writing.
  ///
  /// - Throws: no error by itself; the operations of the log do.
  public func log(_ name: String) throws -> LogWriter {
    state.checkOpen()
    return LogWriter(name: name, transaction: self)
  }

  /// The logs, with the changes of the transaction.
  var logs: LogStates {
    if let madeLogs { return madeLogs }
    let logs = LogStates(base.logs ?? .empty, store: state.store)
    madeLogs = logs
    return logs
  }
}
