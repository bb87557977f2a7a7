import Cryptography
import Foundation
import ObjectStore
import TestKit
import Testing
import Transport

@testable import SyncClient

/// Certificates and proxies, for logging in and for sync.
@Suite(.serialized)
struct SecureTests {
  private static func server(_ certificate: SelfSignedCertificate) async throws -> RealServer {
    try await RealServer { configuration in
      configuration.http.tls = TLSServerConfiguration(
        certificateChainPEM: certificate.certificatePEM, privateKeyPEM: certificate.privateKeyPEM)
    }
  }

  /// The certificate as a file, in PEM or DER.
  private static func write(
    _ certificate: SelfSignedCertificate, _ name: String, _ server: RealServer, isDER: Bool = false
  ) throws -> URL {
    let url = server.folder.appendingPathComponent(name)
    try FileManager.default.createDirectory(at: server.folder, withIntermediateDirectories: true)
    let lines = certificate.certificatePEM.split(separator: "\n").filter { !$0.hasPrefix("-----") }
    let der = Data(base64Encoded: lines.joined()) ?? Data()
    try (isDER ? der : Data(certificate.certificatePEM.utf8)).write(to: url)
    return url
  }

  private static func manager(_ name: String, _ server: RealServer, pinned: URL? = nil) -> SyncManager {
    let manager = SyncManager(rootDirectory: server.folder.appendingPathComponent(name, isDirectory: true))
    manager.logLevel = .off
    manager.pinnedCertificatePaths = pinned.map { ["127.0.0.1": $0] }
    return manager
  }

  private static func logIn(_ manager: SyncManager, _ server: RealServer) async throws -> SyncUser {
    try await SyncUser.logIn(
      with: .usernamePasswordCreatingIfMissing(username: "ann", password: "secret 1"), server: server.url,
      manager: manager)
  }

  private static func configuration(
    _ user: SyncUser, _ server: RealServer, _ policy: ServerValidationPolicy = .system
  ) -> Realm.Configuration {
    var configuration = user.configuration(
      realmURL: server.realm("/~/todo"), fullSynchronization: true, serverValidationPolicy: policy)
    configuration.objectTypes = [SyncedItem.self]
    return configuration
  }

  /// The error of a download of a realm that is opened now.
  private static func refusal(_ configuration: Realm.Configuration) async throws -> SyncError? {
    let session = try #require(try Realm(configuration: configuration).syncSession)
    defer { session.close() }
    do {
      try await session.waitForDownloadOnline()
      return nil
    } catch {
      return error as? SyncError
    }
  }

  @Test("with a pinned certificate, in PEM or DER, logging in and sync succeed", arguments: [false, true])
  func pinned(isDER: Bool) async throws {
    let own = try SelfSignedCertificate.make(hosts: ["127.0.0.1"])
    let server = try await Self.server(own)
    let file = try Self.write(own, "pinned", server, isDER: isDER)
    let user = try await Self.logIn(Self.manager("one", server, pinned: file), server)
    let realm = try Realm(configuration: Self.configuration(user, server))
    try realm.write { realm.add(SyncedItem(value: ["_id": 1])) }
    try await realm.syncSession?.waitForUpload()
    // Pinned for one realm only, and the system's authorities for everything else.
    let other = try await Self.logIn(Self.manager("two", server, pinned: file), server)
    other.manager.pinnedCertificatePaths = nil
    #expect(try await Self.refusal(Self.configuration(other, server, .pinCertificate(path: file))) == nil)
    for user in [user, other] { try user.manager.client().shutDown() }
    await server.stop()
  }

  @Test("a server whose certificate is not the pinned one, or is for another host, is refused with the reason")
  func refused() async throws {
    let own = try SelfSignedCertificate.make(hosts: ["127.0.0.1"])
    let server = try await Self.server(own)
    let right = try Self.write(own, "right.pem", server)
    let wrong = try Self.write(try SelfSignedCertificate.make(hosts: ["127.0.0.1"]), "wrong.pem", server)
    // Logging in is refused as sync is.
    for pinned in [nil, wrong] {
      let failure = await #expect(throws: SyncAuthError.self) {
        _ = try await Self.logIn(Self.manager("stranger", server, pinned: pinned), server)
      }
      #expect(failure?.message.contains("the certificate of 127.0.0.1 is not accepted") == true, "\(failure as Any)")
    }
    let user = try await Self.logIn(Self.manager("one", server, pinned: right), server)
    user.manager.pinnedCertificatePaths = nil
    let heard = Box<[SyncError.Code]>([])
    user.manager.errorHandler = { error, _ in heard.change { $0.append((error as? SyncError)?.code ?? .serverWarning) }
    }
    for policy in [ServerValidationPolicy.system, .pinCertificate(path: wrong)] {
      let error = try await Self.refusal(Self.configuration(user, server, policy))
      #expect(error?.code == .tlsHandshakeFailed, "\(policy) \(error as Any)")
      #expect(error?.message.contains("the certificate of 127.0.0.1 is not accepted") == true)
    }
    try await eventually("both reports") { heard.value.count >= 2 }
    #expect(heard.value == [.tlsHandshakeFailed, .tlsHandshakeFailed])
    #expect(try await Self.refusal(Self.configuration(user, server, .none)) == nil)
    try user.manager.client().shutDown()
    await server.stop()
    let elsewhere = try SelfSignedCertificate.make(hosts: ["example.org"])
    let other = try await Self.server(elsewhere)
    let pin = try Self.write(elsewhere, "other.pem", other)
    await #expect(throws: SyncAuthError.self) {
      _ = try await Self.logIn(Self.manager("two", other, pinned: pin), other)
    }
    await other.stop()
  }

  @Test("a pinned file that is no certificate is refused when the realm is opened")
  func rubbish() async throws {
    let server = try await RealServer()
    let user = try await Self.logIn(Self.manager("one", server), server)
    let file = server.folder.appendingPathComponent("rubbish")
    try Data("rubbish".utf8).write(to: file)
    for path in [file, server.folder.appendingPathComponent("absent")] {
      let failure = #expect(throws: SyncAuthError.self) {
        _ = try Realm(configuration: Self.configuration(user, server, .pinCertificate(path: path)))
      }
      #expect(failure?.code == .invalidParameters)
    }
    await server.stop()
  }

  @Test("with a proxy, logging in and sync go through it, and nothing goes past it", arguments: [false, true])
  func proxies(isSecure: Bool) async throws {
    let own = try SelfSignedCertificate.make(hosts: ["127.0.0.1"])
    let server = isSecure ? try await Self.server(own) : try await RealServer()
    let manager = Self.manager("one", server, pinned: isSecure ? try Self.write(own, "pem", server) : nil)
    let proxy = try TunnelProxy(credentials: "office:secret 2")
    let address = "http://office:secret%202@127.0.0.1:\(proxy.port)"
    manager.proxies = ProxySettings(plain: address, secure: address)
    manager.proxies.reachesThisMachineDirectly = false
    let user = try await Self.logIn(manager, server)
    let realm = try Realm(configuration: Self.configuration(user, server))
    try realm.write { realm.add(SyncedItem(value: ["_id": 1])) }
    try await realm.syncSession?.waitForUpload()
    #expect(proxy.targets.count >= 2)
    #expect(Set(proxy.targets) == ["127.0.0.1:\(server.port)"])
    try manager.client().shutDown()

    let stranger = Self.manager("two", server)
    stranger.proxies = ProxySettings(plain: "127.0.0.1:\(proxy.port)", secure: "127.0.0.1:\(proxy.port)")
    stranger.proxies.reachesThisMachineDirectly = false
    let failure = await #expect(throws: SyncAuthError.self) { _ = try await Self.logIn(stranger, server) }
    #expect(failure?.message.contains("asks who this is") == true, "\(failure as Any)")
    await server.stop()
  }
}
