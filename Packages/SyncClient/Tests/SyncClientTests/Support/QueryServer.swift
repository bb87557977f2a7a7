import ChangesetOT
import DataModel
import RecordStore
import SyncProtocol
import Transport

/// A scripted server of flexible sync: it notes what a client sends, answers IDENT, MARK and UPLOAD by itself, and sends
/// downloads when the test says so. Used on the simulated loop only.
// @unchecked Sendable: touched on the loop, and by the test while the loop does not run.
final class QueryServer: HTTPServerHandler, WebSocketHandler, @unchecked Sendable {
  private var socket: (any WebSocketConnection)?
  private var dialect = Dialect()
  /// The messages received, in short.
  var heard: [String] = []
  /// The path fields of the BINDs.
  var bindings: [String] = []
  /// The request targets of the upgrades, without the token.
  var targets: [String] = []
  /// The answers to a set; by itself a bootstrap without objects.
  var answer: (QuerySet) -> [ServerMessage] = { _ in [] }
  /// Whether MARKs are answered.
  var answersMarks = true
  private var session = SessionIdent(1)
  private var upload = UploadCursor.zero
  private var version = ServerVersion(1)

  func respond(to request: HTTPRequest, with responder: any HTTPResponder) {
    responder.respond(HTTPResponse(status: 404, text: "no\n"))
  }

  func upgrade(_ request: WebSocketUpgradeRequest, with responder: any WebSocketUpgradeResponder) {
    targets.append(String(request.http.target.prefix { $0 != "?" }))
    guard let negotiation = try? Negotiation.choose(from: request.protocolTokens, flavours: [.flexible]) else {
      return responder.refuse(HTTPResponse(status: 400, text: "no\n"))
    }
    dialect = negotiation.dialect
    responder.accept(
      protocolToken: negotiation.token, headers: [:], options: WebSocketOptions(), handler: self)
  }

  func webSocketDidOpen(_ connection: any WebSocketConnection, protocolToken: String?) {
    socket = connection
    heard.append("open")
  }

  func webSocket(_ connection: any WebSocketConnection, didClose closure: WebSocketClosure) { socket = nil }

  func webSocket(_ connection: any WebSocketConnection, didReceive message: WebSocketMessage) {
    guard case .binary(let bytes) = message,
      let message = try? MessageDecoder(dialect: dialect).clientMessage(bytes)
    else { return heard.append("unreadable") }
    switch message {
    case .bind(let bind):
      session = bind.session
      bindings.append(bind.path)
      if bind.needsFileIdent {
        send(.ident(ServerIdentMessage(session: session, file: SaltedFileIdent(ident: FileIdent(3), salt: 7))))
      }
    case .ident(let ident):
      let query = ident.query ?? QuerySet()
      heard.append("ident \(query.version.rawValue) \(query.json) at \(ident.download.server.rawValue)")
    case .mark(let mark):
      heard.append("mark \(mark.request.rawValue)")
      if answersMarks { send(.mark(MarkMessage(session: session, request: mark.request))) }
    case .query(let change):
      heard.append("query \(change.query.version.rawValue) \(change.query.json)")
      for message in answer(change.query) { send(message) }
    case .upload(let message):
      upload = message.progress
      if !message.entries.isEmpty { heard.append("upload \(message.entries.count)") }
    case .unbind: send(.unbound(UnboundMessage(session: session)))
    case .ping, .jsonError, .testCommand: break
    }
  }

  /// Sends a message to the client that is connected.
  func send(_ message: ServerMessage) { socket?.send(binary: message.encoded(for: dialect)) }

  /// Ends the connection.
  func hangUp() {
    socket?.abort()
    socket = nil
  }

  /// A DOWNLOAD of changesets, at the version that is next.
  ///
  /// - Parameter done: the part of the bootstrap that is sent with it.
  func download(
    _ changesets: [[UInt8]], of query: UInt64, _ state: DownloadBatch.State, done: Double = 1
  ) -> ServerMessage {
    version = ServerVersion(version.rawValue + 1)
    let cursor = DownloadCursor(server: version, client: upload.client)
    let progress = SyncProgress(
      latestServerVersion: SaltedServerVersion(version: version, salt: 9), download: cursor, upload: upload)
    let entries = changesets.map {
      DownloadEntry(cursor: cursor, timestamp: OriginTimestamp(1), origin: .server, changeset: $0)
    }
    return .download(
      DownloadMessage(
        session: session, progress: progress, remaining: .fraction(done),
        batch: DownloadBatch(query: QueryVersion(query), state: state), entries: entries))
  }

  /// A refusal of a set.
  func refusal(of query: UInt64, _ message: String) -> ServerMessage {
    .queryError(
      QueryErrorMessage(code: .badQuery, session: session, query: QueryVersion(query), message: message))
  }
}

/// Changesets of a class Dog, as the server sends them.
struct Kennel {
  static let schema = Schema([
    ObjectSchema(
      className: "Dog", primaryKey: "_id",
      properties: [Property(name: "_id", type: .int), Property(name: "name", type: .string)])
  ])

  /// A changeset that creates dogs by their keys and names.
  static func dogs(_ dogs: [Int64: String]) throws -> [UInt8] {
    let file = try RealmFile.open(
      .inMemory(name: "kennel \(UInt64.random(in: 0 ... .max))"), options: .init(recordsChangesets: true))
    try file.edit { editor in
      try editor.addClasses(schema)
      for (key, name) in dogs.sorted(by: { $0.key < $1.key }) {
        let dog = ObjectReference(className: "Dog", key: .int(key))
        try editor.create(dog)
        try editor.set(["name": .value(.string(name))], of: dog)
      }
    }
    return try ClientHistory(file).uploadableEntries(after: .zero).entries.first.map { Array($0.changeset) } ?? []
  }

  /// The names of the dogs in a file.
  static func names(in file: RealmFile) throws -> [String] {
    try (file.dump().objects["Dog"] ?? [:]).sorted { "\($0.key)" < "\($1.key)" }.compactMap {
      if case .value(.string(let name))? = $0.value["name"] { name } else { nil }
    }
  }
}
