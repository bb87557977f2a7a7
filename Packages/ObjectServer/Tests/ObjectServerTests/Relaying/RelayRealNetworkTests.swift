import AccessTokens
import ChangesetOT
import Concurrency
import Cryptography
import Foundation
@testable import ObjectServer
import ObjectServerTestSupport
import Permissions
import ServerClusterTestSupport
import SyncProtocol
import Synchronization
import Telemetry
import TestKit
import Testing
import Transport
import TransportReal

@Suite("passing on over TLS")
struct RelayRealNetworkTests {
  /// A node whose peers' addresses become known when they listen.
  private final class Placement: RealmPlacement {
    let node: ServerNode
    let peerKey = [UInt8](repeating: 7, count: 32)
    let peerTLS: TLSClientConfiguration
    private let owner = Mutex<ServerNode?>(nil)

    init(_ name: String, _ tls: TLSClientConfiguration) {
      node = ServerNode(name: name, address: "")
      peerTLS = tls
    }

    func setOwner(_ node: ServerNode) { owner.withLock { $0 = node } }

    func place(of path: RealmPath) -> RealmPlace {
      guard let owner = owner.withLock({ $0 }) else { return .nobody }
      return owner.name == node.name ? .here : .node(owner)
    }

    func acquire(_ path: RealmPath) throws(ServerError) -> RealmPlace { place(of: path) }

    func whenLeaving(
      _ handler:
        @escaping @Sendable (_ left: @escaping @Sendable (RealmPath) -> Bool, _ done: @escaping @Sendable () -> Void) ->
        Void
    ) {}
  }

  @Test("a session and a request reach the owner, whose certificate the other node knows")
  func sessionAndRequest() async throws {
    let certificate = try SelfSignedCertificate.make(hosts: ["127.0.0.1"])
    let tls = TLSClientConfiguration(trust: .certificates(pem: certificate.certificatePEM))
    let loop = try EventLoop(name: "cluster")
    defer { loop.shutDown() }
    let network = RealNetwork(loop: loop)
    let directory = try TestStorage.directory()
    let issuer = TokenIssuer(key: try .sharedSecret(Array(repeating: 9, count: 32)))
    let histories = PlainHistories()
    let placements = ["a", "b"].map { Placement($0, tls) }
    var servers: [ObjectServer] = []
    var addresses: [ListenAddress] = []
    for placement in placements {
      var configuration = ServerConfiguration()
      configuration.address = ListenAddress(port: 0)
      configuration.http.tls = TLSServerConfiguration(
        certificateChainPEM: certificate.certificatePEM, privateKeyPEM: certificate.privateKeyPEM)
      var environment = ServerEnvironment(
        network: network, executor: ThreadPoolExecutor(threads: 1), directory: directory, stores: histories,
        issuer: issuer, random: RandomSource(SeededGenerator(seed: 1)))
      environment.placement = placement
      let server = ObjectServer(configuration: configuration, environment: environment)
      addresses.append(try await server.start())
      servers.append(server)
    }
    let owner = ServerNode(name: "b", address: "https://\(addresses[1])")
    for placement in placements { placement.setOwner(owner) }
    let now = loop.wallTime
    _ = try directory.createUser(
      UserRecord(id: "ann", isAdministrator: true, createdAt: now),
      identity: IdentityRecord(provider: "local-userpass", name: "ann", user: "ann"))
    _ = try directory.createLogin(
      LoginRecord(id: "login", user: "ann", app: "app", createdAt: now, expiresAt: now + .seconds(86_400)),
      proof: .lasting)
    let token = try issuer.sign(
      TokenClaims(
        kind: .access, user: "ann", app: "app", login: "login", issuedAt: now, expiresAt: now + .seconds(86_400)))

    let client = LockedClient()
    var options = WebSocketOptions()
    options.tls = tls
    let url = try NetworkURL("wss://\(addresses[0])/realm-sync")
    let socket = network.connectWebSocket(
      to: WebSocketEndpoint(
        url: url, protocolTokens: SubprotocolOffer.tokens(for: .full), headers: ["Authorization": "Bearer \(token)"]),
      options: options, handler: client)
    socket.send(
      binary: ClientMessage.bind(BindMessage(session: SessionIdent(1), path: "/~/todo", needsFileIdent: true)).encoded()
    )
    try await eventually { client.files.count == 1 }
    #expect(client.files.count == 1)
    #expect(try histories.history("/ann/todo").content.withLock { $0.openings } == 1)

    var request = HTTPClientRequest(
      method: "DELETE", url: try NetworkURL("https://\(addresses[0])/api/openrealm/v1/realms?path=/~/todo"),
      headers: ["Authorization": "Bearer \(token)"])
    request.tls = tls
    let response = try await network.response(to: request)
    #expect(response.status == 204, "\(response.text)")
    try await eventually { client.failures == [208] }
    #expect(client.failures == [208], "the session is told by the owner")
    request.url = try NetworkURL("https://\(addresses[0])/api/openrealm/v1/realms?path=/~/none")
    let missing = try await network.response(to: request)
    #expect(missing.status == 409)
    #expect(missing.headers.values("Content-Type") == ["application/json"])
    socket.close(code: .normal, reason: "")
    for server in servers { await server.stop() }
  }

  /// A client that keeps the idents and failures that it hears.
  private final class LockedClient: WebSocketHandler {
    private let heard = Mutex<[ServerMessage]>([])

    var files: [SaltedFileIdent] { heard.withLock { $0.compactMap(\.file) } }
    var failures: [Int] { heard.withLock { $0.compactMap(\.failureCode) } }

    func webSocketDidOpen(_ connection: any WebSocketConnection, protocolToken: String?) {}

    func webSocket(_ connection: any WebSocketConnection, didReceive message: WebSocketMessage) {
      guard let message = try? MessageDecoder().serverMessage(message.bytes) else { return }
      heard.withLock { $0.append(message) }
    }

    func webSocket(_ connection: any WebSocketConnection, didClose closure: WebSocketClosure) {}
  }
}
