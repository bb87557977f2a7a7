import ByteCoding
import DataModel
import Foundation
@testable import ObjectServer
import Permissions
import RecordStore
import ServerClusterTestSupport
import Telemetry
import TestKit
import Testing
import Transport

/// A server with one realm of tasks at `/shared`, which everybody reads and ann writes; and one with roles at `/default`.
final class GraphQLScene {
  static let protocols = ["graphql-transport-ws", "graphql-ws"]

  let folder = NSTemporaryDirectory() + "/graphql-" + UUID().uuidString
  let stage: Stage
  let ann: String
  let ben: String
  let root: String
  let path: RealmPath
  let audit: AuditLog

  static let schema = Schema([
    ObjectSchema(
      className: "Task", primaryKey: "id",
      properties: [
        Property(name: "id", type: .int), Property(name: "title", type: .string), Property(name: "done", type: .bool),
        Property(name: "owner", type: .object, objectClassName: "Member", isOptional: true),
      ]),
    ObjectSchema(
      className: "Member", primaryKey: "name", properties: [Property(name: "name", type: .string)]),
  ])

  init(_ configure: (inout ServerConfiguration) -> Void = { _ in }) throws {
    let random = RandomSource(SeededGenerator(seed: 3))
    path = try RealmPath("/shared")
    let histories = try TestStorage.histories(.folder(folder), random: random, isDurable: false)
    try Self.make(path, in: histories) { try $0.addClasses(Self.schema) }
    try Self.make(.ofApps, in: histories, Self.rooms)
    audit = try AuditLog(folder: folder + "/audit", clock: SystemWallClock())
    stage = try Stage(histories: histories, audit: audit, configure)
    (ann, ben) = (try stage.user("ann").token, try stage.user("ben").token)
    root = try stage.user("root", isAdministrator: true).token
    for path in [path, .ofApps] {
      _ = try stage.directory.recordRealm(path, createdBy: "root", at: stage.loop.wallTime)
    }
    let grant = try stage.send(
      "POST", "/api/openrealm/v1/permissions", bearer: root,
      body: #"{"path":"/shared","userId":"ann","access":"write"}"#)
    #expect(grant.status == 200, "\(grant.text)")
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  /// Makes a realm as a server does, and changes it.
  static func make(
    _ path: RealmPath, in histories: any HistoryStores, _ body: (RealmEditor) throws -> Void
  ) throws {
    let store = try histories.open(path, isNew: true)
    defer { store.close() }
    try #require(try histories.history(of: path)).file.edit(body)
  }

  /// A room that only ann may read and change, one for everybody to read, and a class that nobody but administrators may read.
  private static func rooms(_ editor: RealmEditor) throws {
    try editor.addClasses(
      Schema([
        ObjectSchema(
          className: "Room", primaryKey: "name",
          properties: [
            Property(name: "name", type: .string), Property(name: "topic", type: .string),
            Property(name: "permissions", type: .object, collection: .list, objectClassName: "__Permission"),
          ]),
        ObjectSchema(className: "Audit", primaryKey: "id", properties: [Property(name: "id", type: .int)]),
      ]))
    try editor.openPermissions()
    for user in ["ann", "ben"] { try editor.connect(UserId(user)) }
    func entry(_ role: RoleName, _ privileges: [String]) throws -> StateDump.Item {
      let entry = ObjectReference(className: "__Permission", key: try editor.makeKey(for: "__Permission"))
      try editor.create(entry)
      var fields = Dictionary(uniqueKeysWithValues: privileges.map { ($0, StateDump.Item.value(.bool(true))) })
      fields["role"] = .value(.link(ObjectReference(className: "__Role", key: .string(role.rawValue))))
      try editor.set(fields, of: entry)
      return .value(.link(entry))
    }
    for (name, role, privileges) in [
      ("secret", RoleName.privateRole(of: "ann"), ["canRead", "canUpdate", "canDelete"]),
      ("lobby", RoleName("everyone"), ["canRead"]),
    ] {
      let room = ObjectReference(className: "Room", key: .string(name))
      try editor.create(room)
      try editor.set(["permissions": .list([try entry(role, privileges)])], of: room)
    }
    let audit = ObjectReference(className: "__Class", key: .string("Audit"))
    try editor.set(["permissions": .list([])], of: audit)
  }

  // MARK: Requests

  func post(
    _ query: String, at path: String = "/shared", as bearer: String?, variables: String = "null",
    headers: HTTPHeaders = [:]
  ) throws -> HTTPResponse {
    var headers = headers
    if headers["Content-Type"] == nil { headers["Content-Type"] = "application/json" }
    let body = JSONValue.object([("query", .string(query)), ("variables", try JSONValue(parsing: variables))]).text
    return try stage.send("POST", "/graphql" + path, bearer: bearer, body: body, headers: headers)
  }

  func ask(_ query: String, at path: String = "/shared", as bearer: String, variables: String = "null") throws -> String
  {
    try post(query, at: path, as: bearer, variables: variables).text
  }

  func socket(_ offer: String = "graphql-transport-ws", at path: String = "/shared") throws -> GraphQLClient {
    let client = GraphQLClient()
    client.connection = stage.network.host("browser").connectWebSocket(
      to: WebSocketEndpoint(url: try NetworkURL("ws://server:9080/graphql" + path), protocolTokens: [offer]),
      options: WebSocketOptions(), handler: client)
    stage.run()
    return client
  }
}

/// The client's end of a GraphQL WebSocket.
// @unchecked Sendable: used on the simulated loop.
final class GraphQLClient: WebSocketHandler, @unchecked Sendable {
  var connection: (any WebSocketConnection)?
  private(set) var messages: [String] = []
  private(set) var closure: WebSocketClosure?
  private(set) var chosen: String?

  func send(_ text: String) { connection?.send(text: text) }

  /// The messages since they were taken last.
  func take() -> [String] {
    defer { messages = [] }
    return messages
  }

  var closeCode: UInt16? { if case .closed(let code, _, _)? = closure { code.rawValue } else { nil } }

  func webSocketDidOpen(_ connection: any WebSocketConnection, protocolToken: String?) { chosen = protocolToken }

  func webSocket(_ connection: any WebSocketConnection, didReceive message: WebSocketMessage) {
    messages.append(String(decoding: message.bytes, as: UTF8.self))
  }

  func webSocket(_ connection: any WebSocketConnection, didClose closure: WebSocketClosure) { self.closure = closure }
}
