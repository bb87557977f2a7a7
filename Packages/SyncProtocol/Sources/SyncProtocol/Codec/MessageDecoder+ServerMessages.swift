import ChangesetOT

extension MessageDecoder {
  func serverIdent(_ reader: inout HeadReader) throws(MessageDecodingError) -> ServerIdentMessage {
    let session = try reader.session()
    let file = SaltedFileIdent(
      ident: FileIdent(try reader.field("file ident")), salt: Int64(try reader.field("file ident salt")))
    try reader.endOfHead()
    return ServerIdentMessage(session: session, file: file)
  }

  func download(_ reader: inout HeadReader) throws(MessageDecodingError) -> DownloadMessage {
    let session = try reader.session()
    let server = ServerVersion(try reader.field("scan server version"))
    let client = ClientVersion(try reader.field("scan client version"))
    let latest = SaltedServerVersion(
      version: ServerVersion(try reader.field("latest server version")),
      salt: Int64(try reader.field("latest server version salt")))
    let uploadClient = ClientVersion(try reader.field("upload client version"))
    let uploadServer = ServerVersion(try reader.field("upload server version"))
    let batch = dialect.flavour == .flexible ? try batch(&reader) : nil
    let remaining: DownloadRemaining =
      dialect.flavour == .flexible && dialect.version.hasFractionalProgress
      ? .fraction(try reader.fraction("progress")) : .bytes(try reader.field("downloadable bytes"))
    let packing = try packing(&reader)
    try reader.endOfHead()
    let body = try downloadBody(&reader, packing)
    if !packing.isCompressed { try reader.endOfMessage() }
    let progress = SyncProgress(
      latestServerVersion: latest, download: DownloadCursor(server: server, client: client),
      upload: UploadCursor(client: uploadClient, server: uploadServer))
    return DownloadMessage(
      session: session, progress: progress, remaining: remaining, batch: batch,
      entries: try EntryCoding.downloadEntries(body.bytes, at: body.offset, limit: limits.downloadEntries))
  }

  /// The body, and where it begins; an inflated one begins at 0.
  private func downloadBody(
    _ reader: inout HeadReader, _ packing: Packing
  ) throws(MessageDecodingError) -> (bytes: ArraySlice<UInt8>, offset: Int) {
    let start = reader.position
    guard packing.isCompressed else { return (try reader.run(packing.size), start) }
    let packed = try reader.run(packing.packedSize)
    guard let body = BodyCompression.inflate(packed, size: packing.size, allowsTrailingBytes: true) else {
      throw MessageDecodingError(.badCompression, at: start)
    }
    return (body[...], 0)
  }

  private func batch(_ reader: inout HeadReader) throws(MessageDecodingError) -> DownloadBatch {
    let query = QueryVersion(try reader.field("query version"))
    let start = reader.position + 1
    guard let state = DownloadBatch.State(rawValue: try reader.field("batch state")) else {
      throw MessageDecodingError(.badField("batch state"), at: start)
    }
    return DownloadBatch(query: query, state: state)
  }

  private func code(_ reader: inout HeadReader) throws(MessageDecodingError) -> ProtocolErrorCode {
    ProtocolErrorCode(Int(try reader.field("code", limit: 9_999)))
  }

  func plainError(_ reader: inout HeadReader) throws(MessageDecodingError) -> PlainErrorMessage {
    let code = try code(&reader)
    let size = try reader.size("message size", limit: limits.textBytes)
    let tryAgain = try reader.flag("try again")
    let session = try reader.session(allowsConnection: true)
    try reader.endOfHead()
    return PlainErrorMessage(
      code: code, tryAgain: tryAgain, session: session, message: try reader.text(size, "message"))
  }

  func jsonError(_ reader: inout HeadReader) throws(MessageDecodingError) -> JSONErrorMessage {
    let code = try code(&reader)
    let size = try reader.size("JSON size", limit: limits.textBytes)
    let session = try reader.session(allowsConnection: true)
    try reader.endOfHead()
    let start = reader.position
    guard let details = ErrorDetails(code: code, json: try json(&reader, size)) else {
      throw MessageDecodingError(.badText("JSON"), at: start)
    }
    return JSONErrorMessage(code: code, session: session, details: details)
  }

  func queryError(_ reader: inout HeadReader) throws(MessageDecodingError) -> QueryErrorMessage {
    let code = try code(&reader)
    let size = try reader.size("message size", limit: limits.textBytes)
    let session = try reader.session()
    let query = QueryVersion(try reader.field("query version"))
    try reader.endOfHead()
    return QueryErrorMessage(code: code, session: session, query: query, message: try reader.text(size, "message"))
  }

  func log(_ reader: inout HeadReader) throws(MessageDecodingError) -> LogMessage {
    let session = try reader.session(allowsConnection: true)
    let size = try reader.size("JSON size", limit: limits.textBytes)
    try reader.endOfHead()
    let start = reader.position
    guard let message = LogMessage(session: session, json: try json(&reader, size)) else {
      throw MessageDecodingError(.badText("JSON"), at: start)
    }
    return message
  }
}
