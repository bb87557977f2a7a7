import Foundation
import ObjectServer
import ObjectServerTestSupport
import Permissions
import PostgresClient
import PostgresClientTestSupport
import ServerCluster
import TestKit
import Testing

@Suite("seals and keys of the directory of a cluster", .serialized, .enabled(if: PostgresServer.isThere), .onePostgres)
struct PostgresDirectorySealTests {
  @Test(
    "a record that was changed, moved, removed or put back is refused or reported",
    arguments: [
      "UPDATE users SET administrator = 1 WHERE id = 'eve'",
      "UPDATE identities SET password = (SELECT password FROM identities WHERE name = 'eve') WHERE name = 'ann'",
      "UPDATE grants SET level = 31 WHERE grantee = 'bob'",
      #"UPDATE logins SET "user" = 'ann' WHERE "user" = 'eve'"#,
      #"UPDATE api_keys SET "user" = 'ann' WHERE "user" = 'eve'"#,
      "UPDATE users SET id = 'x' WHERE id = 'ann'; UPDATE users SET id = 'ann' WHERE id = 'eve'",
      "DELETE FROM withdrawals",
      "DELETE FROM removed",
      "DELETE FROM grants; UPDATE seals SET count = 0, sum = decode(repeat('00', 16), 'hex') WHERE name = 'grants'",
      "DELETE FROM used_paths; DELETE FROM seals",
      "INSERT INTO users(id, administrator, disabled, created) VALUES ('mallory', 1, 0, 0)",
      "UPDATE users SET seal = NULL",
    ])
  func tampering(sql: String) async throws {
    try await OnePostgres.withDatabase { address in
      let keys = KeysFolder()
      let database = try ClusterDatabase(address)
      let directory = try PostgresDirectory(database, keys: keys.path)
      try DirectorySample.fill(directory)
      #expect(try directory.problems() == [])
      _ = try database.perform { try $0.query(sql) }
      #expect(try !directory.problems().isEmpty)
    }
  }

  @Test("one damaged record affects no other user, is named, and is removed with its user")
  func oneRecord() async throws {
    try await OnePostgres.withDatabase { address in
      let keys = KeysFolder()
      let database = try ClusterDatabase(address)
      let directory = try PostgresDirectory(database, keys: keys.path)
      try DirectorySample.fill(directory)
      _ = try database.perform { try $0.query("UPDATE users SET administrator = 1 WHERE id = 'eve'") }
      let error = #expect(throws: ServerError.self) { try directory.user("eve") }
      #expect(error?.description.contains("users 'eve'") == true)
      #expect(try directory.user("ann")?.isAdministrator == true)
      #expect(try directory.problems().count == 1)
      _ = try directory.deleteUser("eve")
      #expect(try directory.problems() == [])
    }
  }

  @Test("a directory that is moved from SQLite and back is equal, with its seals, its feed and its zero bytes")
  func move() async throws {
    try await OnePostgres.withDatabase { address in
      let keys = KeysFolder()
      let folder = (keys.path as NSString).deletingLastPathComponent + "/openrealm-move-" + UUID().uuidString
      defer { try? FileManager.default.removeItem(atPath: folder) }
      let manager = FileManager.default
      var directories: [SQLiteDirectory] = []
      let cluster = try ClusterDatabase(address)
      let middle = try PostgresDirectory(cluster, keys: keys.path)
      for name in ["one", "two"] {
        try manager.createDirectory(atPath: folder + "/" + name, withIntermediateDirectories: true)
        try manager.copyItem(atPath: keys.path, toPath: folder + "/" + name + "/keys")
        directories.append(try SQLiteDirectory(path: folder + "/" + name + "/directory.db"))
      }
      try DirectorySample.fill(directories[0])
      try directories[0].setPassword(
        "a\u{0}b\u{1}", of: IdentityRecord(provider: "p", name: "ann", user: "ann"), keepingLogin: nil, keepsKeys: true)
      let count = try DirectoryMove.copy(from: directories[0], to: middle)
      #expect(try DirectoryMove.copy(from: middle, to: directories[1]) == count)
      for directory in [middle, directories[1]] as [any Directory] {
        #expect(try DirectorySample.answers(of: directory) == DirectorySample.answers(of: directories[0]))
        #expect(try directory.changes(after: 0) == directories[0].changes(after: 0))
      }
      #expect(try directories[1].problems() == [])
      #expect(throws: ServerError.self) { try DirectoryMove.copy(from: directories[0], to: middle) }
    }
  }
}
