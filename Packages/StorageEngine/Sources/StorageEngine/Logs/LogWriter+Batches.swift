import SQLiteDatabase

extension LogWriter {
  /// Puts many entries, each at its position, replacing what was there.
  ///
  /// The outcome of ``put(_:at:)`` for each of them, for a fraction of the time.
  /// - Throws: ``StorageError`` with code `tooLarge` for an entry above 2 GiB less one MiB; nothing is then put.
  public func put(_ entries: [LogEntry]) throws {
    guard !entries.isEmpty else { return }
    for entry in entries { try Self.checkSize(entry.content) }
    try change { try $0.put(entries) }
  }

  static func checkSize(_ content: [UInt8]) throws {
    guard content.count <= entryLimit else {
      throw StorageError(
        .tooLarge, "An entry of \(content.count) bytes exceeds the limit of \(entryLimit). Split it.")
    }
  }
}

extension LogStatements {
  /// Puts entries one after another: the log's number is looked up once and its total written once, and nothing is
  /// looked for behind the last position.
  func put(_ entries: [LogEntry]) throws {
    let number = try ensureNumber()
    var last = try integer("max(position)") ?? .min
    var added: Int64 = 0
    let insert = try door.statement("INSERT INTO log_\(number)(position, size, content) VALUES (?, ?, ?)")
    for entry in entries {
      if entry.position <= last { try delete(entry.position...entry.position) }
      last = max(last, entry.position)
      let stored = try loader.source.closed(entry.content, at: .entry(log: name, position: entry.position))
      try stored.withUnsafeBytes { bytes in
        try insert.bind(1, entry.position).bind(2, Int64(entry.content.count)).bindUnsafeBytes(3, bytes)
        try insert.run()
      }
      added += Int64(entry.content.count)
    }
    try add(bytes: added, number)
  }
}
