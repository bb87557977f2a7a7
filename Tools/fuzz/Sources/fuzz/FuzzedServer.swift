import AccessTokens
import ChangesetOT
import Concurrency
import Cryptography
import DataModel
import Foundation
import ObjectServer
import ObjectServerTestSupport
import Permissions
import RecordStore
import Synchronization
import Telemetry
import TestKit
import Transport
import TransportSimulated

/// A server with a user, an administrator, a realm on disk, a key, an offer and a provider of tokens.
final class FuzzedServer: Sendable {
  /// The folder of the realms' files; it is removed with the server.
  private let folder: String
  private let network: SimulatedNetwork
  private let server: ObjectServer
  /// The tokens in the places of the marks in the corpus.
  private let texts: [(mark: [UInt8], text: [UInt8])]

  init() throws {
    let directory = MemoryDirectory()
    folder = FileFolder.newFile()
    let stores = EmbeddedHistories(
      .folder(folder), random: RandomSource(SeededGenerator(seed: 2)), isDurable: false)
    network = SimulatedNetwork(seed: 1)
    let now = network.loop.wallTime
    let issuer = TokenIssuer(key: try .sharedSecret(Array(repeating: 9, count: 32)))
    let foreign = try SigningKey.sharedSecret(Array(repeating: 8, count: 32))
    var configuration = ServerConfiguration()
    configuration.accounts.passwordCost = 1
    (configuration.accounts.registration, configuration.accounts.anonymous) = (.all, .all)
    configuration.accounts.nicknames = .all
    configuration.accountsPerSecond = 1_000_000
    var provider = TokenProvider(name: "company")
    provider.keys = [foreign.verificationKey]
    configuration.tokenProviders = [provider]
    server = ObjectServer(
      configuration: configuration,
      environment: ServerEnvironment(
        network: network.host("server"), executor: LoopExecutor(loop: network.loop), directory: directory,
        stores: stores, issuer: issuer,
        foreignKeys: [foreign.verificationKey], random: RandomSource(SeededGenerator(seed: 3))))
    var texts: [(String, String)] = []
    let hash = try PasswordHasher(parameters: .init(logarithmicCost: 1)).hash("password 1")
    for (name, isAdministrator) in [("ann", false), ("root", true)] {
      let id = UserId(name)
      _ = try directory.createUser(
        UserRecord(id: id, isAdministrator: isAdministrator, createdAt: now),
        identity: IdentityRecord(provider: "local-userpass", name: name, user: id, passwordHash: hash))
      for kind in [TokenKind.access, .refresh] {
        let login = LoginRecord(
          id: "\(kind.rawValue)-\(name)", user: id, app: "x", createdAt: now, expiresAt: now + .seconds(1 << 30))
        try directory.createLogin(login, proof: .lasting)
        let claims = TokenClaims(
          kind: kind, user: id, app: "x", login: login.id, issuedAt: now, expiresAt: now + .seconds(1 << 30))
        texts.append(("%\(kind.rawValue)-\(name)%", try issuer.sign(claims)))
      }
    }
    let foreignClaims = #"{"sub":"eve","exp":\#(now.secondsSince1970 + 1 << 30)}"#
    texts.append(("%foreign%", try JSONWebToken.sign(payload: Array(foreignClaims.utf8), with: foreign)))
    let path = try RealmPath("/ann/list")
    _ = try directory.recordRealm(path, createdBy: "ann", at: now)
    try Self.fill(path, in: stores)
    try directory.createAPIKey(APIKeyRecord(id: "key1", user: "ann", name: "k", digest: "d", createdAt: now), by: nil)
    try directory.createOffer(OfferRecord(token: "offer1", user: "ann", path: path, level: .read, createdAt: now))
    self.texts = texts.map { (Array($0.0.utf8), Array($0.1.utf8)) }
    server.start { _ in }
    network.loop.run(for: .milliseconds(10))
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  /// Makes a realm with classes, permissions and an object.
  private static func fill(_ path: RealmPath, in stores: EmbeddedHistories) throws {
    try stores.open(path, isNew: true).close()
    try stores.history(of: path)?.file.edit { editor in
      try editor.addClasses(GraphQLRequestTarget.schema)
      try editor.openPermissions()
      try editor.connect("ann")
      try editor.create(ObjectReference(className: "Person", key: .int(1)))
    }
  }

  /// The bytes with the tokens in the places of their marks.
  func filled(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    for (mark, text) in texts where bytes.contains(mark) { bytes.replace(mark, with: text) }
    return bytes
  }

  /// The answers of the server to a request within a second: one answer, if it is right.
  func answers(to request: HTTPRequest) -> [HTTPResponse] {
    let responder = AnswerKeeper()
    network.loop.execute { [server] in server.respond(to: request, with: responder) }
    network.loop.run(for: .seconds(1))
    return responder.answers.withLock { $0 }
  }
}

/// Keeps answers; streams end at their head.
private final class AnswerKeeper: HTTPResponder, HTTPBodyWriter {
  let answers = Mutex<[HTTPResponse]>([])
  var bufferedBytes: Int { 0 }

  func respond(_ response: HTTPResponse) { answers.withLock { $0.append(response) } }

  func stream(
    _ head: HTTPResponse, options: HTTPStreamOptions, handler: any HTTPBodyHandler
  ) -> any HTTPBodyWriter {
    respond(HTTPResponse(status: head.status))
    handler.body(self, didEnd: TransportError(.connectionLost, "the peer went away"))
    return self
  }

  func write(_ part: [UInt8]) {}
  func finish() {}
  func abort() {}
}
