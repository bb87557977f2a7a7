import ChangesetOT

extension MessageDecoder {
  func bind(_ reader: inout HeadReader) throws(MessageDecodingError) -> BindMessage {
    let session = try reader.session()
    let pathSize = try reader.size("path size", limit: limits.pathBytes)
    let tokenSize = try reader.size("token size", limit: limits.tokenBytes)
    let needsFileIdent = try reader.flag("need ident")
    let isSubserver = try reader.flag("is subserver")
    try reader.endOfHead()
    let start = reader.position
    let path = try reader.text(pathSize, "path")
    guard dialect.flavour == .flexible || !path.isEmpty else { throw MessageDecodingError(.badText("path"), at: start) }
    return BindMessage(
      session: session, path: path, token: try reader.text(tokenSize, "token"), needsFileIdent: needsFileIdent,
      isSubserver: isSubserver)
  }

  func clientIdent(_ reader: inout HeadReader) throws(MessageDecodingError) -> ClientIdentMessage {
    let session = try reader.session()
    let file = SaltedFileIdent(
      ident: FileIdent(try reader.field("file ident")), salt: Int64(try reader.field("file ident salt")))
    let server = ServerVersion(try reader.field("scan server version"))
    let client = ClientVersion(try reader.field("scan client version"))
    let latest = SaltedServerVersion(
      version: ServerVersion(try reader.field("latest server version")),
      salt: Int64(try reader.field("latest server version salt")))
    let query = dialect.flavour == .flexible ? try query(&reader) : nil
    if query == nil { try reader.endOfHead() }
    return ClientIdentMessage(
      session: session, file: file, download: DownloadCursor(server: server, client: client),
      latestServerVersion: latest, query: query)
  }

  /// The end of the head and the body of a message that ends with a query set.
  func query(_ reader: inout HeadReader) throws(MessageDecodingError) -> QuerySet {
    let version = QueryVersion(try reader.field("query version"))
    let size = try reader.size("query size", limit: limits.textBytes)
    try reader.endOfHead()
    return QuerySet(version: version, json: try reader.text(size, "query"))
  }

  func upload(_ reader: inout HeadReader) throws(MessageDecodingError) -> UploadMessage {
    let session = try reader.session()
    do {
      return try upload(&reader, of: session)
    } catch {
      switch error.reason {
      case .limitExceeded, .badEntryOrder:
        throw MessageDecodingError(error.reason, at: error.position, session: session)
      case .unknownType, .badField, .badHead, .badBodySize, .badText, .badCompression, .badEntry, .badEntrySize:
        throw error
      }
    }
  }

  private func upload(
    _ reader: inout HeadReader, of session: SessionIdent
  ) throws(MessageDecodingError) -> UploadMessage {
    let packing = try packing(&reader)
    let client = ClientVersion(try reader.field("progress client version"))
    let server = ServerVersion(try reader.field("progress server version"))
    let locked = ServerVersion(try reader.field("locked server version"))
    try reader.endOfHead()
    return UploadMessage(
      session: session, progress: UploadCursor(client: client, server: server), lockedServerVersion: locked,
      entries: try uploadEntries(&reader, packing))
  }

  private func uploadEntries(
    _ reader: inout HeadReader, _ packing: Packing
  ) throws(MessageDecodingError) -> [UploadEntry] {
    let start = reader.position
    guard packing.isCompressed else {
      var body = BodyStream(try reader.run(packing.size))
      return try EntryCoding.uploadEntries(&body, at: start, limit: limits.uploadEntries)
    }
    let packed = try reader.run(packing.packedSize)
    guard var body = BodyStream(packed: packed, size: packing.size, allowsTrailingBytes: false) else {
      throw MessageDecodingError(.badCompression, at: start)
    }
    do {
      return try EntryCoding.uploadEntries(&body, at: 0, limit: limits.uploadEntries)
    } catch {
      // The position of a fault within a zlib stream is unknown.
      throw error.reason == .badCompression ? MessageDecodingError(.badCompression, at: start) : error
    }
  }

  func clientError(_ reader: inout HeadReader) throws(MessageDecodingError) -> ClientErrorMessage {
    let code = ProtocolErrorCode(Int(try reader.field("code", limit: 9_999)))
    let size = try reader.size("JSON size", limit: limits.textBytes)
    let session = try reader.session()
    try reader.endOfHead()
    let start = reader.position
    guard let message = try json(&reader, size)["message"]?.string else {
      throw MessageDecodingError(.badText("JSON"), at: start)
    }
    return ClientErrorMessage(code: code, session: session, message: message)
  }
}

extension MessageDecoder {
  /// The error for a message above the size limit, from its first bytes.
  ///
  /// - Returns: an error with the session for an UPLOAD whose head can be read, else one of the connection.
  func oversized(_ head: [UInt8], byteCount: Int) -> MessageDecodingError {
    let what = "message of \(byteCount) bytes (at most \(limits.messageBytes))"
    var reader = HeadReader(head[...])
    guard reader.messageType() == "upload", let session = try? reader.session() else {
      return MessageDecodingError(.limitExceeded(what), at: 0)
    }
    return MessageDecodingError(.limitExceeded(what), at: 0, session: session)
  }
}

extension MessageDecoder {
  /// The stated number of bytes of a client's message after inflating, unchecked: a measure for the work of decoding.
  ///
  /// - Complexity: O(1).
  public static func statedSize(of bytes: [UInt8]) -> Int {
    var reader = HeadReader(bytes.prefix(128))
    guard bytes.first == UInt8(ascii: "u"), reader.messageType() == "upload", (try? reader.session()) != nil,
      (try? reader.flag("is compressed")) ?? false, let size = try? reader.field("uncompressed size")
    else { return bytes.count }
    return max(bytes.count, Int(clamping: size))
  }
}
