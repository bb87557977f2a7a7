import ByteCoding
import GraphQL

/// One GraphQL WebSocket as a pure machine, in both protocols: `graphql-transport-ws`, and the older `graphql-ws` of
/// subscriptions-transport-ws.
///
/// | | new | old |
/// |---|---|---|
/// | first | `connection_init` → `connection_ack` | the same, or an object `{"token": "…"}` without a type |
/// | begin | `subscribe` | `start` |
/// | results | `next`, `error`, `complete` | `data`, `error`, `complete` |
/// | end | `complete` | `stop`, `connection_terminate` |
///
/// Violations of the protocol close the socket with the codes that the newer protocol names.
struct GraphQLSocketMachine {
  enum Dialect: String, CaseIterable {
    case transport = "graphql-transport-ws"
    case legacy = "graphql-ws"
  }

  enum Event {
    case message([UInt8])
    case binary
    /// The answer to ``Action/authenticate(token:)``.
    case authenticated
    case refused(code: UInt16, reason: String)
    /// A result for an operation.
    case result(String, [UInt8], isFinal: Bool)
    /// An operation that was refused before it ran.
    case failed(String, [UInt8])
    case initTimedOut
  }

  enum Action: Equatable {
    case authenticate(token: String?)
    case start(String, GraphQLRequest)
    case stop(String)
    case send([UInt8])
    case close(code: UInt16, reason: String)

    static func == (left: Action, right: Action) -> Bool {
      switch (left, right) {
      case (.authenticate(let left), .authenticate(let right)): left == right
      case (.start(let left, let one), .start(let right, let two)):
        left == right && one.query == two.query && one.variables == two.variables
      case (.stop(let left), .stop(let right)): left == right
      case (.send(let left), .send(let right)): left == right
      case (.close(let left, _), .close(let right, _)): left == right
      case (.authenticate, _), (.start, _), (.stop, _), (.send, _), (.close, _): false
      }
    }
  }

  private enum Stage {
    case opened, authenticating, ready, closed
  }

  let dialect: Dialect
  private let mostOperations: Int
  private var stage = Stage.opened
  /// The operations under way.
  private(set) var operations: Set<String> = []

  init(_ dialect: Dialect, mostOperations: Int) {
    self.dialect = dialect
    self.mostOperations = mostOperations
  }

  /// Whether the client has said who it is for.
  var isReady: Bool { stage == .ready }

  mutating func handle(_ event: Event) -> [Action] {
    guard stage != .closed else { return [] }
    switch event {
    case .binary: return close(4400, "Messages are texts")
    case .message(let bytes): return received(bytes)
    case .authenticated:
      stage = .ready
      return [.send(Self.message("connection_ack"))] + (dialect == .legacy ? [.send(Self.message("ka"))] : [])
    case .refused(let code, let reason):
      if dialect == .legacy, stage == .authenticating {
        let payload = JSONValue.object([("message", .string(reason))]).text
        return [.send(Self.message("connection_error", payload: Array(payload.utf8)))] + close(code, reason)
      }
      return close(code, reason)
    case .result(let id, let bytes, let isFinal):
      guard operations.contains(id) else { return [] }
      var actions = [Action.send(Self.message(dialect == .legacy ? "data" : "next", id: id, payload: bytes))]
      if isFinal {
        operations.remove(id)
        actions.append(.send(Self.message("complete", id: id)))
      }
      return actions
    case .failed(let id, let errors):
      guard operations.remove(id) != nil else { return [] }
      return [.send(Self.message("error", id: id, payload: errors))]
        + (dialect == .legacy ? [.send(Self.message("complete", id: id))] : [])
    case .initTimedOut: return stage == .opened ? close(4408, "Connection initialisation timeout") : []
    }
  }

  private mutating func close(_ code: UInt16, _ reason: String) -> [Action] {
    stage = .closed
    operations = []
    return [.close(code: code, reason: reason)]
  }

  // MARK: Messages

  private mutating func received(_ bytes: [UInt8]) -> [Action] {
    guard let message = try? JSONValue(parsing: bytes), message.members != nil else {
      return close(4400, "Invalid message received")
    }
    guard let type = message["type"]?.string else {
      // The platform's documentation: an object with the token, before any message of the protocol.
      guard dialect == .legacy, let token = Self.token(message) else { return close(4400, "The message has no type") }
      return initialise(token)
    }
    switch type {
    case "connection_init": return initialise(message["payload"].flatMap(Self.token))
    case "ping" where dialect == .transport:
      return [.send(Self.message("pong", payload: message["payload"].map { Array($0.text.utf8) }))]
    case "pong" where dialect == .transport: return []
    case "subscribe" where dialect == .transport, "start" where dialect == .legacy: return begin(message)
    case "complete" where dialect == .transport, "stop" where dialect == .legacy:
      guard let id = message["id"]?.string else { return close(4400, "The message has no id") }
      guard operations.remove(id) != nil else { return [] }
      return [.stop(id)] + (dialect == .legacy ? [.send(Self.message("complete", id: id))] : [])
    case "connection_terminate" where dialect == .legacy: return close(1000, "")
    default: return close(4400, "Unknown message type")
    }
  }

  private mutating func initialise(_ token: String?) -> [Action] {
    guard stage == .opened else { return close(4429, "Too many initialisation requests") }
    stage = .authenticating
    return [.authenticate(token: token)]
  }

  private mutating func begin(_ message: JSONValue) -> [Action] {
    guard stage == .ready else { return close(4401, "Unauthorized") }
    guard let id = message["id"]?.string ?? Self.number(message["id"]), !id.isEmpty, id.utf8.count <= 256 else {
      return close(4400, "The message has no id")
    }
    guard !operations.contains(id) else {
      guard dialect == .legacy else { return close(4409, "Subscriber for \(id.prefix(40)) already exists") }
      // The older protocol lets a second one take the place of the first.
      operations.remove(id)
      return [.stop(id)] + begin(message)
    }
    let request: GraphQLRequest
    do { request = try GraphQLRequest(json: message["payload"] ?? .null) } catch {
      guard dialect == .legacy else { return close(4400, "The payload is no request") }
      operations.insert(id)
      return handle(.failed(id, Self.errors([error], dialect)))
    }
    operations.insert(id)
    guard operations.count <= mostOperations else {
      let error = GraphQLError(
        "\(mostOperations) operations are under way on this connection.", code: "LIMIT_EXCEEDED",
        extensions: [.init("bound", .string("operations"))])
      return handle(.failed(id, Self.errors([error], dialect)))
    }
    return [.start(id, request)]
  }

  private static func number(_ value: JSONValue?) -> String? {
    if case .number(let text) = value { text } else { nil }
  }

  /// The token in an initial message: `token` as in the platform's samples, `authToken` as in its prose, or a header.
  static func token(_ payload: JSONValue) -> String? {
    for name in ["token", "authToken", "Authorization", "authorization", "accessToken"] {
      if let text = payload[name]?.string { return bare(text) }
    }
    return payload["headers"].flatMap(token)
  }

  /// A token without the word before it.
  static func bare(_ text: String) -> String {
    text.hasPrefix("Bearer ") ? String(text.dropFirst("Bearer ".count)) : text
  }

  // MARK: Texts

  /// A message around a payload that is JSON already.
  static func message(_ type: String, id: String? = nil, payload: [UInt8]? = nil) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity((payload?.count ?? 0) + 64)
    bytes += "{".utf8
    if let id { bytes += "\"id\":\(JSONValue.string(id).text),".utf8 }
    bytes += "\"type\":\"\(type)\"".utf8
    if let payload {
      bytes += ",\"payload\":".utf8
      bytes += payload
    }
    bytes += "}".utf8
    return bytes
  }

  /// The payload of an `error` message: a list of errors in the newer protocol, one error in the older.
  static func errors(_ errors: [GraphQLError], _ dialect: Dialect) -> [UInt8] {
    let whole = (try? JSONValue(parsing: GraphQLResponse(refused: errors).bytes)) ?? .null
    let listed = whole["errors"]?.elements ?? []
    return Array((dialect == .legacy ? listed.first ?? .null : .array(listed)).text.utf8)
  }
}
