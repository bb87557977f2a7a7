import Foundation
import ObjectServer
import ObjectServerTestSupport
import PostgresClient
import PostgresClientTestSupport
import ServerCluster
import TestKit
import Testing

@Suite("keys of a cluster in its database", .serialized, .enabled(if: PostgresServer.isThere), .onePostgres)
struct ClusterKeysTests {
  private static func write(_ digits: String, _ name: String, in folder: KeysFolder) throws {
    try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
    try String(repeating: digits, count: 32).write(
      toFile: folder.path + "/" + name, atomically: true, encoding: .utf8)
  }

  @Test("a node without keys gets those of the cluster; one with other keys is refused, and nothing of it is changed")
  func otherKeys() async throws {
    try await OnePostgres.withDatabase { address in
      let database = try ClusterDatabase(address)
      let first = KeysFolder()
      try DirectorySample.fill(PostgresDirectory(database, keys: first.path))
      let empty = KeysFolder()
      #expect(try PostgresDirectory(database, keys: empty.path).userCount() == 3)
      #expect(try KeyFiles(folder: empty.path) == KeyFiles(folder: first.path))
      for name in ["directory.key", "token.key"] {
        let other = try first.copied()
        try Self.write("ab", name, in: other)
        let before = try KeyFiles(folder: other.path)
        let error = #expect(throws: ServerError.self) { try PostgresDirectory(database, keys: other.path) }
        #expect(error?.code == .badKey)
        #expect(error?.description.contains(other.path) == true)
        #expect(try KeyFiles(folder: other.path) == before)
      }
      // One file is missing, as after an interrupted start.
      try FileManager.default.removeItem(atPath: empty.path + "/token.key")
      _ = try PostgresDirectory(database, keys: empty.path)
      #expect(try KeyFiles(folder: empty.path) == KeyFiles(folder: first.path))
    }
  }

  @Test("keys of tokens that a node rotated in its folder become the cluster's, and reach a node with the old ones")
  func rotatedByHand() async throws {
    try await OnePostgres.withDatabase { address in
      let database = try ClusterDatabase(address)
      let old = KeysFolder()
      _ = try PostgresDirectory(database, keys: old.path)
      let new = try old.copied()
      try FileManager.default.moveItem(
        atPath: new.path + "/token.key", toPath: new.path + "/token-1700000000.key")
      try Self.write("cd", "token.key", in: new)
      _ = try PostgresDirectory(database, keys: new.path)
      _ = try PostgresDirectory(database, keys: old.path)
      #expect(try KeyFiles(folder: old.path) == KeyFiles(folder: new.path))
      #expect(try KeyFiles(folder: old.path).texts.count == 3)
    }
  }

  @Test("in a cluster whose nodes had copies of a folder, the first one that has it publishes it, and no other")
  func earlierRelease() async throws {
    try await OnePostgres.withDatabase { address in
      let database = try ClusterDatabase(address)
      let keys = KeysFolder()
      _ = try PostgresDirectory(database, keys: keys.path)
      _ = try database.perform { try $0.query("DELETE FROM cluster_key") }
      let empty = KeysFolder()
      let missing = #expect(throws: ServerError.self) { try PostgresDirectory(database, keys: empty.path) }
      #expect(missing?.remedy.contains("publishes") == true)
      #expect(!FileManager.default.fileExists(atPath: empty.path + "/token.key"))
      let foreign = KeysFolder()
      try Self.write("ab", "directory.key", in: foreign)
      try Self.write("cd", "token.key", in: foreign)
      #expect(throws: ServerError.self) { try PostgresDirectory(database, keys: foreign.path) }
      #expect(try database.perform { try $0.query("SELECT FROM cluster_key").count } == 0)
      _ = try PostgresDirectory(database, keys: keys.path)
      _ = try PostgresDirectory(database, keys: empty.path)
      #expect(try KeyFiles(folder: empty.path) == KeyFiles(folder: keys.path))
    }
  }

  @Test("a secret wraps the keys, also those that were there before; without it, or with another, a node is refused")
  func secret() async throws {
    try await OnePostgres.withDatabase { address in
      let database = try ClusterDatabase(address)
      let keys = KeysFolder()
      func contents() throws -> String {
        try database.perform {
          let rows = try $0.query("SELECT encode(content, 'escape') FROM cluster_key")
          return (0..<rows.count).map { rows[$0, 0] ?? "" }.joined()
        }
      }
      _ = try PostgresDirectory(database, keys: keys.path)
      let texts = try KeyFiles(folder: keys.path).texts.values.map { String($0.prefix(64)) }
      #expect(try texts.count { try contents().contains($0) } == 2)
      let secret = try ClusterSecret(String(repeating: "s", count: 32))
      _ = try PostgresDirectory(database, keys: keys.path, secret: secret)
      #expect(try texts.count { try contents().contains($0) } == 0)
      let empty = KeysFolder()
      let none = #expect(throws: ServerError.self) { try PostgresDirectory(database, keys: empty.path) }
      #expect(none?.code == .badKey)
      let other = try ClusterSecret(String(repeating: "t", count: 32))
      let wrong = #expect(throws: ServerError.self) {
        try PostgresDirectory(database, keys: empty.path, secret: other)
      }
      #expect(wrong?.code == .badKey)
      #expect(wrong?.remedy.contains("cluster-secret-file") == true)
      // A key in the place of another does not open.
      _ = try database.perform {
        try $0.query(
          """
          UPDATE cluster_key SET content = (SELECT content FROM cluster_key WHERE name = 'token.key')
          WHERE name = 'directory.key'
          """)
      }
      #expect(throws: ServerError.self) { try PostgresDirectory(database, keys: empty.path, secret: secret) }
      #expect(throws: ServerError.self) { try ClusterSecret("short") }
    }
  }
}
