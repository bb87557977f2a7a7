import AccessTokens
import Concurrency
import Cryptography
import Foundation
import ObjectServer
import ServerClusterTestSupport
import Telemetry
import TestKit
import Transport
import TransportReal

/// A server of this process on a real socket, with files in a temporary folder, over the storage of ``TestStorage``.
final class RealServer {
  let folder: URL
  private let loop: EventLoop
  private let directory: any Directory
  private let issuer: TokenIssuer
  private(set) var server: ObjectServer
  private let reserved: ReservedPort
  var port: Int { reserved.port }
  private var isRunning = false
  private let configuration: ServerConfiguration

  /// - Parameter configure: what differs from the usual.
  init(configure: (inout ServerConfiguration) -> Void = { _ in }) async throws {
    var configuration = ServerConfiguration()
    configuration.accounts.passwordCost = 4
    configuration.accounts.minimumPasswordBytes = 1
    configure(&configuration)
    self.configuration = configuration
    folder = URL(fileURLWithPath: NSTemporaryDirectory()).appendingPathComponent("openrealm-\(UUID().uuidString)")
    loop = try EventLoop(name: "test-server")
    issuer = TokenIssuer(key: try .sharedSecret(Array(repeating: 9, count: 32)))
    reserved = try ReservedPort()
    directory = try TestStorage.node(of: Self.data(folder).path)?.directory ?? TestStorage.directory()
    server = try Self.make(configuration, loop, directory, issuer, folder, port: reserved.port)
    try await start()
  }

  /// A server that lets every user into every partition; with a certificate over TLS.
  static func ofApps(_ certificate: SelfSignedCertificate?) async throws -> RealServer {
    try await RealServer { configuration in
      configuration.accounts.rules.partitionLevel = .write
      configuration.http.tls = certificate.map {
        TLSServerConfiguration(certificateChainPEM: $0.certificatePEM, privateKeyPEM: $0.privateKeyPEM)
      }
    }
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  private static func make(
    _ configuration: ServerConfiguration, _ loop: EventLoop, _ directory: any Directory, _ issuer: TokenIssuer,
    _ folder: URL, port: Int
  ) throws -> ObjectServer {
    var configuration = configuration
    configuration.address = ListenAddress(host: "127.0.0.1", port: port)
    let random = RandomSource(SystemRandomNumberGenerator())
    let data = data(folder).path
    var environment = ServerEnvironment(
      network: RealNetwork(loop: loop), executor: ThreadPoolExecutor(threads: 2), directory: directory,
      stores: try TestStorage.histories(.folder(data), random: random, isDurable: false), issuer: issuer,
      random: random, release: { TestStorage.leave(data) })
    environment.placement = try TestStorage.node(of: data)?.placement
    return ObjectServer(configuration: configuration, environment: environment)
  }

  private func start() async throws {
    _ = try await server.start()
    isRunning = true
  }

  func stop() async {
    guard isRunning else { return }
    isRunning = false
    await withCheckedContinuation { continuation in server.stop { continuation.resume() } }
  }

  /// A new server on the same files and port.
  func restart() async throws {
    await stop()
    try await startAnew()
  }

  private static func data(_ folder: URL) -> URL { folder.appendingPathComponent("server") }
  private var data: URL { Self.data(folder) }
  private var copy: URL { folder.appendingPathComponent("backup") }

  /// Copies what the stopped server has, and starts a new one.
  func backUp() async throws {
    await stop()
    try TestStorage.backUp(data.path, to: copy.path)
    try await startAnew()
  }

  /// A new server over the backup.
  func restore() async throws {
    await stop()
    try TestStorage.restore(data.path, from: copy.path)
    try await startAnew()
  }

  private func startAnew() async throws {
    server = try Self.make(configuration, loop, directory, issuer, folder, port: port)
    try await start()
  }

  private var isSecure: Bool { configuration.http.tls != nil }
  var url: URL { URL(string: "\(isSecure ? "https" : "http")://127.0.0.1:\(port)") ?? URL(fileURLWithPath: "/") }
  func realm(_ path: String) -> URL? { URL(string: "\(isSecure ? "realms" : "realm")://127.0.0.1:\(port)\(path)") }
}
