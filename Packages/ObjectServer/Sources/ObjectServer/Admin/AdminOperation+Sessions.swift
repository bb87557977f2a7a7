import ByteCoding
import Transport

extension AdminOperation {
  static let sessions = [listSessions, closeConnection, live]

  private static let listSessions = AdminOperation(
    name: "listSessions", method: "GET", path: "sessions",
    summary: "The open sync connections with their sessions, oldest first.",
    answer: .object([.init("connections", .array(connectionSchema))]),
    work: .loop { call, completion in
      completion(.success(.object([("connections", connections(call.services.hub))])))
    })

  private static let connectionSchema = AdminSchema.object([
    .init("id", .integer()), .init("user", .string()), .init("address", .string()),
    .init("protocolVersion", .integer()), .init("buffered", .integer(), "Bytes that wait for the client."),
    .init(
      "sessions",
      .array(
        .object([
          .init("path", .string()), .init("access", .string()), .init("file", .integer(), isRequired: false),
        ]))),
  ])

  /// The connections of a hub. On the loop.
  ///
  /// - Complexity: O(*n* log *n*) in the connections.
  static func connections(_ hub: SyncHub) -> JSONValue {
    .array(
      hub.ordered().map { connection in
        let sessions = connection.realms.sorted { $0.key.generation < $1.key.generation }.compactMap { key, realm in
          (realm ?? nil).map { realm -> JSONValue in
            let member = realm.members[connection.member(key)]
            var members: [(key: String, value: JSONValue)] = [
              ("path", .string(realm.path.description)), ("access", .string(member?.level.name ?? "none")),
            ]
            if let file = member?.file { members.append(("file", .integer(file.rawValue))) }
            return .object(members)
          }
        }
        return .object([
          ("id", .integer(connection.ident.rawValue)), ("user", .string(connection.bearer.user.rawValue)),
          ("address", .string(connection.clientAddress)),
          ("protocolVersion", .integer(connection.machine.dialect.version.rawValue)),
          ("buffered", .integer(connection.socket?.bufferedBytes ?? 0)), ("sessions", .array(sessions)),
        ])
      })
  }

  private static let closeConnection = AdminOperation(
    name: "closeConnection", method: "DELETE", path: "sessions/{connection}",
    summary: "Closes a sync connection; its client comes back if it still may.",
    parameters: [
      Parameter(
        name: "connection", place: .path, schema: .integer(0 ... .max), isRequired: true,
        summary: "The id of the connection.")
    ],
    refusals: [404],
    work: .loop { call, completion in
      let ident = ConnectionIdent(rawValue: UInt64(clamping: call.integer("connection") ?? 0))
      guard let connection = call.services.hub.connections[ident] else {
        return completion(.failure(APIError(404, .notFound, "there is no such connection")))
      }
      connection.handle(.tokenExpired)
      completion(.success(nil))
    })

  private static let live = AdminOperation(
    name: "live", method: "GET", path: "live",
    summary:
      "Server-sent events, until either side ends: 'sessions' with the list of connections whenever it changes, 'metrics' every two seconds, 'log' with each entry.",
    parameters: [
      .query("topics", "Of sessions, metrics and logs those that are wanted, with commas between; all unless given."),
      .query("level", .choice(levels), "The lowest level of log entries; info unless given."),
    ],
    answer: .string(), refusals: [429], contentType: "text/event-stream",
    work: .stream { call, responder in call.services.live.open(call, on: responder) })
}
