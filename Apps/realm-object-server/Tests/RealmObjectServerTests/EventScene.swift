import ByteCoding
import Foundation
import Synchronization
import Transport
import TransportReal

/// A receiver of webhooks on this machine.
final class WebhookReceiver: HTTPServerHandler {
  let messages = Mutex<[(event: String, body: JSONValue?)]>([])
  let refuses = Atomic<Bool>(false)

  var events: [String] { messages.withLock { $0.map(\.event) } }

  func respond(to request: HTTPRequest, with responder: any HTTPResponder) {
    guard !refuses.load(ordering: .relaxed) else { return responder.respond(HTTPResponse(status: 503)) }
    let message = (
      event: request.headers["X-OpenRealm-Event"] ?? "", body: try? JSONValue(parsing: request.body)
    )
    messages.withLock { $0.append(message) }
    responder.respond(HTTPResponse(status: 204))
  }

  func upgrade(_ request: WebSocketUpgradeRequest, with responder: any WebSocketUpgradeResponder) {
    responder.refuse(HTTPResponse(status: 404))
  }
}

/// A receiver, a folder, and settings that name it.
struct EventScene: Sendable {
  let folder = ServerProcess.temporaryFolder()
  let loop: EventLoop
  let network: RealNetwork
  let receiver = WebhookReceiver()
  let listener: any Listener

  var data: String { folder + "/data" }
  var settings: String { folder + "/server.toml" }

  init() async throws {
    loop = try EventLoop(name: "receiver")
    network = RealNetwork(loop: loop)
    listener = try await network.listen(on: ListenAddress(host: "127.0.0.1", port: 0), handler: receiver)
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try """
    webhook-retries = 2

    [webhook.copy]
    url = "http://\(listener.address)/hook"
    pattern = "^/[^/]+/orders$"
    """.write(toFile: settings, atomically: true, encoding: .utf8)
  }

  func server() throws -> ServerProcess {
    try ServerProcess(data: data, arguments: ["--port", "0", "--config", settings])
  }

  /// A call of the administration API of a server; nil when it does not answer.
  func call(_ port: Int, _ method: String, _ path: String, body: String = "") async throws -> HTTPResponse? {
    let file = FileManager.default.contents(atPath: data + "/keys/admin.json") ?? Data()
    let token = try JSONValue(parsing: Array(file))["ADMIN_TOKEN"]?.string ?? ""
    let url = try NetworkURL("http://127.0.0.1:\(port)/api/openrealm/v1/admin/" + path)
    do {
      return try await network.response(
        to: HTTPClientRequest(
          method: method, url: url, headers: ["Authorization": "Bearer " + token], body: Array(body.utf8)))
    } catch is TransportError {
      return nil
    }
  }

  func end() {
    loop.shutDown()
    try? FileManager.default.removeItem(atPath: folder)
  }
}
