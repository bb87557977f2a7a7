import ChangesetOT

/// The changeset entries in the body of UPLOAD and DOWNLOAD: numbers, each followed by a space, then the bytes.
///
///     2 0 361234567890 0 42 <42 bytes>
enum EntryCoding {
  static func body(_ entries: [UploadEntry]) -> [UInt8] {
    let capacity = entries.reduce(0) { $0 + $1.changeset.count + 5 * EntryWriter.numberBytes }
    return EntryWriter.body(capacity: capacity) { writer in
      for entry in entries {
        writer.head(entry.cursor.client.rawValue, entry.cursor.server.rawValue, entry.timestamp, entry.origin)
        writer.changeset(entry.changeset[...])
      }
    }
  }

  static func body(_ entries: [DownloadEntry]) -> [UInt8] {
    let capacity = entries.reduce(0) { $0 + $1.changeset.count + 6 * EntryWriter.numberBytes }
    return EntryWriter.body(capacity: capacity) { writer in
      for entry in entries {
        writer.head(entry.cursor.server.rawValue, entry.cursor.client.rawValue, entry.timestamp, entry.origin)
        writer.number(UInt64(entry.originalSize))
        writer.changeset(entry.changeset)
      }
    }
  }

  private static func number(_ reader: inout HeadReader, _ name: String) throws(MessageDecodingError) -> UInt64 {
    let value = try reader.number(limit: UInt64(Int64.max), .badEntry(name))
    try reader.take(0x20, .badEntry(name))
    return value
  }

  private static func changeset(_ reader: inout HeadReader) throws(MessageDecodingError) -> ArraySlice<UInt8> {
    let start = reader.position
    let size = try number(&reader, "changeset size")
    guard size <= UInt64(reader.remaining) else { throw MessageDecodingError(.badEntrySize, at: start) }
    return try reader.run(Int(size))
  }

  static func uploadEntries(_ body: ArraySlice<UInt8>, at offset: Int) throws(MessageDecodingError) -> [UploadEntry] {
    try shifted(by: offset) { () throws(MessageDecodingError) in
      var reader = HeadReader(body)
      var entries: [UploadEntry] = []
      while !reader.isAtEnd {
        let client = ClientVersion(try number(&reader, "client version"))
        let server = ServerVersion(try number(&reader, "server version"))
        let timestamp = OriginTimestamp(try number(&reader, "origin timestamp"))
        let origin = FileIdent(try number(&reader, "origin file ident"))
        entries.append(
          UploadEntry(
            cursor: UploadCursor(client: client, server: server), timestamp: timestamp, origin: origin,
            changeset: Array(try changeset(&reader))))
      }
      return entries
    }
  }

  static func downloadEntries(
    _ body: ArraySlice<UInt8>, at offset: Int
  ) throws(MessageDecodingError) -> [DownloadEntry] {
    try shifted(by: offset) { () throws(MessageDecodingError) in
      var reader = HeadReader(body)
      var entries: [DownloadEntry] = []
      while !reader.isAtEnd {
        let server = ServerVersion(try number(&reader, "server version"))
        let client = ClientVersion(try number(&reader, "client version"))
        let timestamp = OriginTimestamp(try number(&reader, "origin timestamp"))
        let origin = FileIdent(try number(&reader, "origin file ident"))
        let originalSize = Int(clamping: try number(&reader, "original size"))
        entries.append(
          DownloadEntry(
            cursor: DownloadCursor(server: server, client: client), timestamp: timestamp, origin: origin,
            originalSize: originalSize, changeset: try changeset(&reader)))
      }
      return entries
    }
  }

  /// Errors inside a body that is not compressed count from the start of the message.
  private static func shifted<T>(
    by offset: Int, _ read: () throws(MessageDecodingError) -> T
  ) throws(MessageDecodingError) -> T {
    do {
      return try read()
    } catch {
      throw MessageDecodingError(error.reason, at: error.position + offset)
    }
  }
}
