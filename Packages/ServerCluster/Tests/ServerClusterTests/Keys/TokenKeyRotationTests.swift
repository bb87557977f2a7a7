import Foundation
@testable import ObjectServer
import ObjectServerTestSupport
import Permissions
import PostgresClient
import PostgresClientTestSupport
import ServerCluster
import Telemetry
import TelemetryTestSupport
import TestKit
import Testing

@Suite("keys of tokens at several nodes", .serialized, .enabled(if: PostgresServer.isThere), .onePostgres)
struct TokenKeyRotationTests {
  /// A node as far as tokens go: its folder, and the keys as its server has them.
  private final class TokenNode: Sendable {
    let folder = KeysFolder()
    let storage: PostgresStorage
    let keys: LiveTokenKeys
    private let clock = ManualClock(wallTime: TokenKeyRotationTests.now)

    init(_ address: String, _ name: String) throws {
      let (folder, storage) = (folder, PostgresStorage(address, node: ClusterNode(name: name, address: "")))
      _ = try storage.openDirectory(keys: folder.path)
      let random = RandomSource(SystemRandomNumberGenerator())
      self.storage = storage
      keys = LiveTokenKeys(
        try ServerKeys.load(from: folder.path, random: random).issuer,
        read: { () throws(ServerError) in
          try storage.changeKeys(in: folder.path) { _ in }
          return try ServerKeys.load(from: folder.path, random: random).issuer
        }, isShared: true)
    }

    private var accounts: Accounts {
      Accounts(
        directory: MemoryDirectory(), policy: AccountPolicy(), issuer: keys.issuer, foreignKeys: [],
        random: RandomSource(SystemRandomNumberGenerator()), clock: clock, keys: keys)
    }

    func token() throws -> String { try accounts.administratorToken(lifetime: .seconds(600)) }

    func accepts(_ token: String, at now: WallTime = TokenKeyRotationTests.now) -> Bool {
      (try? keys.verify(token, kind: .access, at: now)) != nil
    }
  }

  static let now = WallTime(secondsSince1970: 1_000)

  @Test("whatever step of a rotation each node has heard of, the tokens of each are good at all")
  func steps() async throws {
    try await OnePostgres.withDatabase { address in
      let nodes = try ["a", "b", "c"].map { try TokenNode(address, $0) }
      let first = try nodes[0].token()
      func check(_ step: String) throws {
        for node in nodes {
          for other in nodes { #expect(other.accepts(try node.token()), "\(step)") }
          #expect(node.accepts(first), "\(step)")
        }
      }
      try check("before")
      try nodes[0].storage.changeKeys(in: nodes[0].folder.path) {
        $0.prepareRotation(RandomSource(SystemRandomNumberGenerator()))
      }
      try check("published")
      for node in nodes[0...1] { _ = try node.keys.reload(at: Self.now) }
      try check("published, and heard by two")
      try nodes[1].storage.changeKeys(in: nodes[1].folder.path) {
        $0.finishRotation(at: Self.now, overlap: .seconds(60))
      }
      #expect(try nodes[1].keys.reload(at: Self.now) == false)
      #expect(nodes[1].keys.issuer.keyIdentifier != nodes[0].keys.issuer.keyIdentifier)
      // The first knows the key since it was published; the third has heard of nothing, and looks.
      try check("rotated, and heard by one")
      for node in nodes { _ = try node.keys.reload(at: Self.now) }
      try check("rotated")
      #expect(Set(nodes.map(\.keys.issuer.keyIdentifier)).count == 1)
      #expect(nodes.allSatisfy { !$0.accepts(first, at: Self.now + .seconds(60)) })
    }
  }

  @Test("a key that became known is refused at once, and each node is told so, also when it looked by itself")
  func immediate() async throws {
    try await OnePostgres.withDatabase { address in
      let nodes = try ["a", "b"].map { try TokenNode(address, $0) }
      let old = try nodes[0].token()
      for step in 0..<2 {
        try nodes[0].storage.changeKeys(in: nodes[0].folder.path) { keys in
          if step == 0 { keys.prepareRotation(RandomSource(SystemRandomNumberGenerator())) }
          if step == 1 { keys.finishRotation(at: Self.now, overlap: .zero) }
        }
      }
      #expect(try nodes[0].keys.reload(at: Self.now) == true)
      #expect(nodes[1].accepts(try nodes[0].token()))
      #expect(nodes.allSatisfy { !$0.accepts(old) })
      #expect(try nodes[1].keys.reload(at: Self.now) == true)
      #expect(try nodes[1].keys.reload(at: Self.now) == false)
    }
  }

  @Test("the tool rotates for all nodes, from a place that has no keys yet")
  func tool() async throws {
    try await OnePostgres.withDatabase { address in
      let node = try TokenNode(address, "a")
      let start = try PostgresDirectory(ClusterDatabase(address), keys: node.folder.path).changes(after: nil).position
      let place = KeysFolder()
      let server = EmbeddedServer(path: place.path, shared: node.storage)
      try server.rotateTokenKey(publication: .zero)
      let changes = try PostgresDirectory(ClusterDatabase(address), keys: node.folder.path).changes(after: start)
      #expect(changes.changes == [.tokenKeys, .tokenKeys])
      let keys = try KeyFiles(folder: place.path + "/keys")
      #expect(keys.texts.keys.count { $0.hasPrefix("token-") } == 1)
      let before = node.keys.issuer.keyIdentifier
      _ = try node.keys.reload(at: Self.now)
      #expect(node.keys.issuer.keyIdentifier == keys.signingFingerprint)
      #expect(before != keys.signingFingerprint)
    }
  }
}
