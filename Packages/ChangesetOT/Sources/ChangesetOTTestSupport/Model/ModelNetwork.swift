public import ChangesetOT

/// A server and its clients as plain values. Histories, reciprocal forms and the order of integration are those of the
/// product; the wire is a function call.
///
///     var network = ModelNetwork(state: base, clients: [FileIdent(2), FileIdent(3)])
///     try network.commit(FileIdent(2), instructions, at: OriginTimestamp(10))
///     try network.settle()
///     network.allStates               // the server's and every client's: all equal
public struct ModelNetwork: Sendable {
  /// The server.
  public private(set) var server: ModelServer
  /// The clients by file ident.
  public private(set) var clients: [FileIdent: ModelClient] = [:]
  /// The file idents of the clients, in their order of creation.
  public let idents: [FileIdent]

  /// A network in which all start from one state.
  public init(state: ModelState, clients idents: [FileIdent], transformer: Transformer = Transformer()) {
    self.idents = idents
    server = ModelServer(state: state, transformer: transformer)
    for ident in idents { clients[ident] = ModelClient(ident: ident, state: state, transformer: transformer) }
  }

  /// The state of the server, then of every client.
  public var allStates: [ModelState] { [server.state] + idents.compactMap { clients[$0]?.state } }

  /// Makes a write transaction of a client.
  ///
  /// - Throws: ``ModelError`` when an instruction cannot be applied.
  public mutating func commit(_ ident: FileIdent, _ instructions: [Instruction], at time: OriginTimestamp) throws {
    try clients[ident]?.commit(instructions, at: time)
  }

  /// Uploads at most `limit` changesets of a client.
  ///
  /// - Throws: `TransformError` or ``ModelError`` when the server cannot integrate them; the server is then unchanged.
  public mutating func upload(_ ident: FileIdent, limit: Int = .max) throws {
    guard let entries = clients[ident]?.uploads(limit: limit) else { return }
    try server.integrate(entries, from: ident)
  }

  /// Downloads and integrates everything that is new to a client.
  ///
  /// - Throws: `TransformError` or ``ModelError`` when the client cannot integrate an entry.
  public mutating func download(_ ident: FileIdent) throws {
    guard let version = clients[ident]?.downloadedVersion else { return }
    let (entries, upTo) = server.downloads(for: ident, after: version)
    try clients[ident]?.integrate(entries, upTo: upTo)
  }

  /// Uploads and downloads until all are in sync; first the uploads of `uploadOrder`.
  ///
  /// - Throws: `TransformError` or ``ModelError`` as ``upload(_:limit:)`` and ``download(_:)``.
  public mutating func settle(uploadOrder: [FileIdent]? = nil) throws {
    for ident in uploadOrder ?? [] { try upload(ident) }
    repeat {
      for ident in idents {
        try upload(ident)
        try download(ident)
      }
    } while clients.values.contains { !$0.isUploaded || $0.downloadedVersion < server.history.count }
  }
}
