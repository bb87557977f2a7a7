import AccessTokens
import Concurrency
import Cryptography
import Foundation
@testable import ObjectServer
import ObjectServerTestSupport
import Permissions
import ServerClusterTestSupport
import SyncProtocol
import Telemetry
import TestKit
import Testing
import Transport
import TransportReal

@Suite("access to routes")
struct RouteAccessTests {
  /// A server on a socket of this machine.
  private struct RealServer {
    let network: RealNetwork
    let server: ObjectServer
    let accounts: Accounts
    let address: ListenAddress
    private let certificate: SelfSignedCertificate?

    init(isSecure: Bool = false) async throws {
      network = RealNetwork(loop: try EventLoop(name: "routes"))
      var configuration = ServerConfiguration()
      configuration.address = ListenAddress(host: "127.0.0.1", port: 0)
      configuration.accounts.passwordCost = 4
      configuration.accounts.minimumPasswordBytes = 1
      configuration.accountsPerSecond = 10_000
      configuration.stopGrace = .zero
      certificate = isSecure ? try SelfSignedCertificate.make(hosts: ["127.0.0.1"]) : nil
      configuration.http.tls = certificate.map {
        TLSServerConfiguration(certificateChainPEM: $0.certificatePEM, privateKeyPEM: $0.privateKeyPEM)
      }
      let issuer = TokenIssuer(key: try .sharedSecret(Array(repeating: 9, count: 32)))
      let random = RandomSource(SecureRandom())
      let environment = try ServerEnvironment(
        network: network, executor: ThreadPoolExecutor(threads: 2), directory: TestStorage.directory(),
        stores: PlainHistories(),
        issuer: issuer, random: random)
      accounts = Accounts(
        directory: environment.directory, policy: configuration.accounts, issuer: issuer, foreignKeys: [],
        random: random, clock: network.scheduler)
      server = ObjectServer(configuration: configuration, environment: environment)
      address = try await server.start()
    }

    func send(_ method: String, _ path: String, bearer: String?, body: String) async throws -> HTTPResponse {
      let scheme = certificate == nil ? "http" : "https"
      var request = HTTPClientRequest(method: method, url: try NetworkURL("\(scheme)://\(address)\(path)"))
      if let certificate {
        request.tls = TLSClientConfiguration(trust: .certificates(pem: certificate.certificatePEM))
      }
      request.headers["Authorization"] = bearer.map { "Bearer " + $0 }
      request.body = Array(body.utf8)
      return try await network.response(to: request)
    }
  }

  @Test("every route, with every kind of bearer, over a socket", .timeLimit(.minutes(45)))
  func table() async throws {
    let real = try await RealServer()
    var number = 0
    for name in Route.allCases {
      for (index, column) in BearerColumn.allCases.enumerated() {
        number += 1
        let scene = try RouteScene(number, real.accounts)
        let token = try scene.token(column)
        let row = RouteRow(name, in: scene)
        let response = try await real.send(row.method, row.path, bearer: token, body: row.body)
        #expect(response.status == row.statuses[index], "\(name) with \(column): \(response.text)")
      }
    }
    await real.server.stop()
  }

  @Test("every route over TLS, with nobody's token and with one that it admits")
  func secure() async throws {
    let real = try await RealServer(isSecure: true)
    var number = 0
    for name in Route.allCases {
      let statuses = RouteRow(name, in: try RouteScene(100_000 + number, real.accounts)).statuses
      let admitted = statuses.firstIndex { $0 < 400 } ?? 1
      for index in Set([0, admitted]).sorted() {
        number += 1
        let scene = try RouteScene(number, real.accounts)
        let token = try scene.token(BearerColumn.allCases[index])
        let row = RouteRow(name, in: scene)
        let response = try await real.send(row.method, row.path, bearer: token, body: row.body)
        #expect(response.status == row.statuses[index], "\(name): \(response.text)")
      }
    }
    await real.server.stop()
  }

  @Test("a row of the table asks for the route that it is named after")
  func rows() async throws {
    let stage = try Stage()
    let accounts = Accounts(
      directory: stage.directory, policy: stage.configuration.accounts, issuer: stage.issuer, foreignKeys: [],
      random: RandomSource(SeededGenerator(seed: 1)), clock: stage.loop)
    let scene = try RouteScene(1, accounts)
    for name in Route.allCases {
      let row = RouteRow(name, in: scene)
      let request = HTTPRequest(method: row.method, target: row.path)
      #expect(try RoutedRequest(request).route == name)
      #expect(row.statuses.count == BearerColumn.allCases.count, "\(name)")
    }
  }

  @Test("a row of the table fits the access that its route asks for", arguments: Route.allCases)
  func fits(_ route: Route) throws {
    let stage = try Stage()
    let accounts = Accounts(
      directory: stage.directory, policy: stage.configuration.accounts, issuer: stage.issuer, foreignKeys: [],
      random: RandomSource(SeededGenerator(seed: 1)), clock: stage.loop)
    let row = RouteRow(route, in: try RouteScene(1, accounts))
    func columns(with statuses: Set<Int>) -> Set<BearerColumn> {
      Set(zip(BearerColumn.allCases, row.statuses).filter { statuses.contains($0.1) }.map(\.0))
    }
    let refused = columns(with: [401, 403])
    switch route.access {
    case .nothing, .proof:
      #expect(refused.isDisjoint(with: [.none, .expired, .reads, .refresh]), "no bearer is read")
    case .login:
      #expect(refused == Set(BearerColumn.allCases).subtracting([.refresh]))
    case .user:
      #expect(refused == Set(BearerColumn.allCases).subtracting([.full, .administrator]))
    case .unbounded:
      #expect(refused == Set(BearerColumn.allCases).subtracting([.full, .administrator, .operator]))
    case .administrator:
      #expect(refused == Set(BearerColumn.allCases).subtracting([.administrator, .operator]))
    case .connection:
      #expect(refused.isSuperset(of: [.none, .scopedElsewhere, .expired, .disabled, .removed, .ended, .refresh]))
      #expect(refused.isDisjoint(with: [.full, .administrator, .operator, .manages, .reads, .writes]))
    case .realm:
      #expect(refused.isSuperset(of: [.none, .reads, .writes, .expired, .disabled, .removed, .ended, .refresh]))
      #expect(refused.isDisjoint(with: [.full, .administrator, .operator, .manages]))
    }
  }

  @Test("no two routes have the same pattern, and all but preflight have one")
  func patterns() {
    let all = Route.allCases.flatMap(\.patterns)
    #expect(Set(all).count == all.count)
    #expect(Route.allCases.filter { $0.patterns.isEmpty } == [.preflight])
  }

  @Test("a token for one realm grants on no other, nor on all, and buys nothing more")
  func realmToken() throws {
    let stage = try Stage()
    let ann = try stage.user("ann"), root = try stage.user("root", isAdministrator: true)
    _ = try stage.user("ben")
    for path in ["/ann/todo", "/ann/other"] {
      try stage.directory.recordRealm(try RealmPath(path), createdBy: ann.id, at: stage.loop.wallTime)
    }
    for user in [ann.id, root.id] {
      let token = try stage.token(user, path: "/ann/todo")
      for (path, status) in [("*", 403), ("/ann/other", 403), ("/ben/x", 403), ("/ann/todo", 200)] {
        let body = #"{"path":"\#(path)","userId":"ben","access":"read"}"#
        let answer = try stage.send("POST", "/api/openrealm/v1/permissions", bearer: token, body: body)
        #expect(answer.status == status, "\(user) \(path)")
      }
      let offer = try stage.send(
        "POST", "/api/openrealm/v1/offers", bearer: token, body: #"{"path":"/ann/other","access":"read"}"#)
      #expect(offer.status == 403)
      let bought = try stage.send(
        "POST", "/auth", body: #"{"provider":"realm","data":"\#(token)","path":"/~/other"}"#)
      #expect(bought.status == 401)
    }
    #expect(try stage.directory.grants(to: "ben").map(\.path.description) == ["/ann/todo"])
  }

  @Test("a connection opened with a token for one realm opens that alone, with at most the token's level")
  func connections() throws {
    let stage = try Stage()
    let ann = try stage.user("ann")
    for (level, file) in [(AccessLevel.read, 2), (.write, 3)] {
      let token = try stage.token(ann.id, level: level, path: "/ann/todo")
      let (client, _) = try stage.session(token, "/~/todo")
      client.bind(2, "/~/other")
      stage.run()
      #expect(client.take().compactMap(\.failureCode) == [206])
      client.upload(1, version: 2, bytes: SyncTests.bytes)
      stage.run()
      let answers = client.take()
      let isAcknowledged = answers.compactMap(\.download).contains { $0.progress.upload.client.rawValue == 2 }
      #expect(isAcknowledged == (level == .write), "\(level) \(file): \(answers)")
    }
    #expect(try stage.connect(try stage.token(ann.id, level: .none, path: "/ann/todo")).closeCode == 4001)
  }

  @Test("a former administrator loses all connections at the next review, and HTTP at once")
  func demoted() throws {
    let stage = try Stage()
    let root = try stage.user("root", isAdministrator: true), ann = try stage.user("ann")
    let (client, _) = try stage.session(root.token, "/ann/todo")
    let (other, _) = try stage.session(ann.token, "/~/todo", from: "pc")
    // A token that belongs to no login.
    let loose = try stage.issuer.sign(
      TokenClaims(
        kind: .access, user: root.id, app: "app", issuedAt: stage.loop.wallTime,
        expiresAt: stage.loop.wallTime + .seconds(3_600), isAdministrator: true))
    let (looseClient, _) = try stage.session(loose, "/ann/todo", from: "tool")
    try stage.directory.updateUser(root.id, isAdministrator: false, isDisabled: nil)
    #expect(try stage.send("GET", "/api/openrealm/v1/users/local-userpass/ann", bearer: root.token).status == 403)
    stage.run(.seconds(70))
    #expect(client.closeCode == 4001)
    #expect(looseClient.closeCode == 4001)
    #expect(other.closure == nil)
  }
}
