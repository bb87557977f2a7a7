public import ChangesetOT

/// A server and its clients as plain values: histories, reciprocal forms and the order of integration are real, only
/// the wire is a function call.
///
///     var network = ModelNetwork(state: base, clients: [FileIdent(2), FileIdent(3)])
///     try network.commit(FileIdent(2), instructions, at: OriginTimestamp(10))
///     try network.settle()
///     network.allStates               // the server's and every client's: all equal
public struct ModelNetwork: Sendable {
  public private(set) var server: ModelServer
  public private(set) var clients: [FileIdent: ModelClient] = [:]
  public let idents: [FileIdent]

  public init(state: ModelState, clients idents: [FileIdent], transformer: Transformer = Transformer()) {
    self.idents = idents
    server = ModelServer(state: state, transformer: transformer)
    for ident in idents { clients[ident] = ModelClient(ident: ident, state: state, transformer: transformer) }
  }

  /// The state of the server, then of every client.
  public var allStates: [ModelState] { [server.state] + idents.compactMap { clients[$0]?.state } }

  public mutating func commit(_ ident: FileIdent, _ instructions: [Instruction], at time: OriginTimestamp) throws {
    try clients[ident]?.commit(instructions, at: time)
  }

  /// Hands a client's unsent changesets to the server.
  public mutating func upload(_ ident: FileIdent, limit: Int = .max) throws {
    guard let entries = clients[ident]?.uploads(limit: limit) else { return }
    try server.integrate(entries, from: ident)
  }

  /// Brings a client everything new from the server.
  public mutating func download(_ ident: FileIdent) throws {
    guard let version = clients[ident]?.downloadedVersion else { return }
    let (entries, upTo) = server.downloads(for: ident, after: version)
    try clients[ident]?.integrate(entries, upTo: upTo)
  }

  /// Uploads and downloads until nothing is new to anyone; uploads go in the order given first.
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
