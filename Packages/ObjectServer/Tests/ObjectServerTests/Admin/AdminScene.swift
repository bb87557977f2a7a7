import AccessTokens
import ByteCoding
import Concurrency
import Cryptography
import Foundation
@testable import ObjectServer
import Permissions
import ServerClusterTestSupport
import Telemetry
import Testing
import Transport
import TransportReal

/// A whole server over TLS on loopback, with a data directory of its own, and the operator's token.
struct AdminScene {
  static let prefix = "/api/openrealm/v1/admin/"
  let folder: String
  let loop: EventLoop
  let network: RealNetwork
  let server: ObjectServer
  let address: ListenAddress
  let token: String
  let logger: Logger
  private let tls: TLSClientConfiguration

  /// Runs `use` with a server, which is stopped whatever happens.
  static func run(studio: Bool = false, _ use: (AdminScene) async throws -> Void) async throws {
    let folder = NSTemporaryDirectory() + "/admin-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let certificate = try SelfSignedCertificate.make(hosts: ["127.0.0.1"])
    let loop = try EventLoop(name: "admin")
    let network = RealNetwork(loop: loop)
    var configuration = ServerConfiguration()
    configuration.address = ListenAddress(port: 0)
    configuration.accounts.passwordCost = 4
    configuration.http.tls = TLSServerConfiguration(
      certificateChainPEM: certificate.certificatePEM, privateKeyPEM: certificate.privateKeyPEM)
    if studio {
      configuration.studio = StaticFiles(["index.html": StaticFile(Array("<p>".utf8), name: "index.html")])
      configuration.studioAccess = .all
    }
    let recent = RecentLogs()
    let logger = Logger(level: .info, sink: recent)
    var environment = try EmbeddedServer(path: folder, shared: TestStorage.shared(by: folder)).open(
      network: network, threads: 2, logger: logger)
    environment.recentLogs = recent
    let server = ObjectServer(configuration: configuration, environment: environment)
    let address = try await server.start()
    let file = try #require(FileManager.default.contents(atPath: folder + "/keys/admin.json"))
    let token = try #require(try JSONValue(parsing: Array(file))["ADMIN_TOKEN"]?.string)
    let scene = AdminScene(
      folder: folder, loop: loop, network: network, server: server, address: address, token: token, logger: logger,
      tls: TLSClientConfiguration(trust: .certificates(pem: certificate.certificatePEM)))
    let result: Result<Void, any Error>
    do {
      result = .success(try await use(scene))
    } catch {
      result = .failure(error)
    }
    await server.stop()
    loop.shutDown()
    try result.get()
  }

  func request(_ method: String, _ path: String, token: String? = nil, body: String = "") throws -> HTTPClientRequest {
    let path = path.hasPrefix("/") ? path : Self.prefix + path
    return HTTPClientRequest(
      method: method, url: NetworkURL(scheme: .https, host: "127.0.0.1", port: address.port, target: path),
      headers: ["Authorization": "Bearer \(token ?? self.token)"], body: Array(body.utf8), timeout: .seconds(300),
      tls: tls)
  }

  func send(_ method: String, _ path: String, token: String? = nil, body: String = "") async throws -> HTTPResponse {
    try await network.response(to: try request(method, path, token: token, body: body))
  }

  /// Sends a request without the operator's token, with other headers.
  func send(
    _ method: String, _ path: String, body: String, headers: HTTPHeaders
  ) async throws -> HTTPResponse {
    var request = try request(method, path, body: body)
    request.headers = headers
    return try await network.response(to: request)
  }

  /// The answer to a request that succeeds, after it was compared with the operation's shape.
  func call(_ method: String, _ path: String, body: String = "") async throws -> JSONValue {
    let response = try await send(method, path, body: body)
    #expect(response.isSuccess, "\(method) \(path): \(response.status) \(response.text)")
    try AdminShape.check(method, path, response)
    return response.body.isEmpty ? .null : try JSONValue(parsing: response.body)
  }
}

/// Compares answers with the table that describes them.
enum AdminShape {
  static func check(_ method: String, _ path: String, _ response: HTTPResponse) throws {
    let segments = path.prefix { $0 != "?" }.split(separator: "/").map { PercentCoding.decoded($0) ?? "" }
    let operation = try #require(
      AdminOperation.all.first { $0.method == method && $0.match(segments) != nil }, "\(method) \(path)")
    if response.isSuccess {
      #expect(response.status == (operation.answer == nil ? 204 : operation.status), "\(method) \(path)")
      guard let schema = operation.answer, operation.contentType == "application/json" else { return }
      if operation.name == "openAPI" { return }
      #expect(schema.problem(in: try JSONValue(parsing: response.body)) == nil, "\(method) \(path) \(response.text)")
    } else {
      #expect(AdminOpenAPI.statuses(of: operation).contains(response.status), "\(method) \(path): \(response.status)")
      #expect(AdminOpenAPI.error.problem(in: try JSONValue(parsing: response.body)) == nil)
    }
  }
}
