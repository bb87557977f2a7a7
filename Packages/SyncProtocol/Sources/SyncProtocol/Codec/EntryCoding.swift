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

  /// The entries of an UPLOAD, read up to the first fault. Client versions must rise, and `limit` is the most entries.
  ///
  /// - Complexity: O(bytes up to the end of the body or the first fault); memory likewise, and 64 kB.
  static func uploadEntries(
    _ body: inout BodyStream, at offset: Int, limit: Int
  ) throws(MessageDecodingError) -> [UploadEntry] {
    var entries: [UploadEntry] = []
    while !body.isAtEnd {
      guard entries.count < limit else {
        throw MessageDecodingError(.limitExceeded("number of changesets"), at: offset + body.position)
      }
      try body.fill(5 * EntryWriter.numberBytes)
      let (entry, size) = try shifted(by: offset + body.position) { () throws(MessageDecodingError) in
        try uploadHead(&body, after: entries.last)
      }
      entries.append(entry)
      entries[entries.count - 1].changeset = try body.take(size)
    }
    try body.end()
    return entries
  }

  private static func uploadHead(
    _ body: inout BodyStream, after last: UploadEntry?
  ) throws(MessageDecodingError) -> (UploadEntry, Int) {
    var reader = HeadReader(body.window)
    let client = ClientVersion(try number(&reader, "client version"))
    guard client > last?.cursor.client ?? .zero else { throw MessageDecodingError(.badEntryOrder, at: 0) }
    let server = ServerVersion(try number(&reader, "server version"))
    let timestamp = OriginTimestamp(try number(&reader, "origin timestamp"))
    let origin = FileIdent(try number(&reader, "origin file ident"))
    let start = reader.position
    let size = try number(&reader, "changeset size")
    guard size <= UInt64(body.remaining - reader.position) else { throw MessageDecodingError(.badEntrySize, at: start) }
    body.skip(reader.position)
    let cursor = UploadCursor(client: client, server: server)
    return (UploadEntry(cursor: cursor, timestamp: timestamp, origin: origin, changeset: []), Int(size))
  }

  /// The entries of a DOWNLOAD as slices of the body, read up to the first fault. Server versions must not fall, and `limit`
  /// is the most entries.
  static func downloadEntries(
    _ body: ArraySlice<UInt8>, at offset: Int, limit: Int
  ) throws(MessageDecodingError) -> [DownloadEntry] {
    try shifted(by: offset) { () throws(MessageDecodingError) in
      var reader = HeadReader(body)
      var entries: [DownloadEntry] = []
      var last = ServerVersion.zero
      while !reader.isAtEnd {
        let start = reader.position
        guard entries.count < limit else {
          throw MessageDecodingError(.limitExceeded("number of changesets"), at: start)
        }
        let server = ServerVersion(try number(&reader, "server version"))
        guard server >= last else { throw MessageDecodingError(.badEntryOrder, at: start) }
        last = server
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

  private static func changeset(_ reader: inout HeadReader) throws(MessageDecodingError) -> ArraySlice<UInt8> {
    let start = reader.position
    let size = try number(&reader, "changeset size")
    guard size <= UInt64(reader.remaining) else { throw MessageDecodingError(.badEntrySize, at: start) }
    return try reader.run(Int(size))
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
