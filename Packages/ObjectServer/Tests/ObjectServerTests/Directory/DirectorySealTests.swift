import Foundation
@testable import ObjectServer
import ObjectServerTestSupport
import SQLiteDatabase
import ServerClusterTestSupport
import TestKit
import Testing

@Suite(
  "seals of the directory",
  .enabled(if: TestStorage.isEmbedded, "damages SQLite's file; PostgresDirectorySealTests change rows of the tables"))
struct DirectorySealTests {
  /// A directory with records of every table, in a file that is closed, and what it answers.
  private struct Fixture {
    let path: String
    let answers: [String]

    init() throws {
      path = try DirectoryTests.path()
      let directory = try SQLiteDirectory(path: path)
      try DirectorySample.fill(directory)
      answers = try DirectorySample.answers(of: directory)
      directory.close()
    }

    func remove() { DirectoryTests.remove(path) }

    /// Changes the database behind the server's back.
    func edit(_ sql: String) throws { try SQLiteConnection(path: path).execute(sql) }

    func problems() throws -> [String] {
      let directory = try SQLiteDirectory(path: path)
      defer { directory.close() }
      return try directory.problems()
    }
  }

  // RUNS=200000 flips a bit in every byte.
  @Test("a flipped bit anywhere in the directory changes no answer, or is reported")
  func flips() throws {
    let fixture = try Fixture()
    defer { fixture.remove() }
    let content = try [UInt8](Data(contentsOf: URL(fileURLWithPath: fixture.path)))
    let seed = Seeds.seed ?? 1
    var random = SeededGenerator(seed: seed)
    // Free bytes say nothing: half of the flips are near others that are not zero.
    var places = Array(content.indices).shuffled(using: &random)
    places.sort { content[$0] != 0 && content[$1] == 0 }
    var (silent, reported, refused) = (0, 0, 0)
    for place in places.prefix(Seeds.runs ?? 250) {
      var damaged = content
      damaged[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      for suffix in ["-wal", "-shm"] { unlink(fixture.path + suffix) }
      try Data(damaged).write(to: URL(fileURLWithPath: fixture.path))
      var problems: [String] = []
      do {
        let directory = try SQLiteDirectory(path: fixture.path)
        defer { directory.close() }
        let answers = Result { try DirectorySample.answers(of: directory) }
        do { problems = try directory.problems() } catch { problems = ["\(error)"] }
        switch answers {
        case .success(let answers) where answers == fixture.answers: silent += 1
        case .success:
          reported += 1
          #expect(!problems.isEmpty, "SEED=\(seed) byte \(place): another answer, and nothing is reported")
        case .failure(let error):
          refused += 1
          #expect(error is ServerError, "SEED=\(seed) byte \(place): \(error)")
          #expect(!problems.isEmpty, "SEED=\(seed) byte \(place): refused, but not reported")
        }
      } catch { refused += 1 }
    }
    #expect(refused > 0)
    if Seeds.runs != nil { print("without effect \(silent), reported by verify \(reported), refused \(refused)") }
  }

  @Test(
    "a record that was changed, moved, removed or put back is refused or reported",
    arguments: [
      "UPDATE users SET administrator = 1 WHERE id = 'eve'",
      "UPDATE identities SET password = (SELECT password FROM identities WHERE name = 'eve') WHERE name = 'ann'",
      "UPDATE grants SET level = 31 WHERE grantee = 'bob'",
      "UPDATE logins SET user = 'ann' WHERE user = 'eve'",
      "UPDATE api_keys SET user = 'ann' WHERE user = 'eve'",
      "UPDATE users SET id = 'x' WHERE id = 'ann'; UPDATE users SET id = 'ann' WHERE id = 'eve'",
      "DELETE FROM withdrawals",
      "DELETE FROM removed",
      "DELETE FROM grants; UPDATE seals SET count = 0, sum = zeroblob(16) WHERE name = 'grants'",
      "DELETE FROM used_paths; DELETE FROM seals",
      "INSERT INTO users(id, administrator, disabled, created) VALUES ('mallory', 1, 0, 0)",
    ])
  func tampering(sql: String) throws {
    let fixture = try Fixture()
    defer { fixture.remove() }
    #expect(try fixture.problems().isEmpty)
    try fixture.edit(sql)
    #expect(try !fixture.problems().isEmpty)
  }

  @Test("one damaged record affects no other user, is named, and is removed with its user")
  func oneRecord() throws {
    let fixture = try Fixture()
    defer { fixture.remove() }
    try fixture.edit("UPDATE users SET administrator = 1 WHERE id = 'eve'")
    let directory = try SQLiteDirectory(path: fixture.path)
    defer { directory.close() }
    let error = #expect(throws: ServerError.self) { try directory.user("eve") }
    #expect(error?.description.contains("users 'eve'") == true)
    #expect(try directory.user("ann")?.isAdministrator == true)
    try directory.updateUser("bob", isAdministrator: nil, isDisabled: true)
    #expect(try directory.user("bob")?.isDisabled == true)
    #expect(try directory.problems().count == 1)
    _ = try directory.deleteUser("eve")
    #expect(try directory.problems().isEmpty)
  }

  @Test("a directory of an earlier release is sealed when it is opened, and says what it said")
  func upgrade() throws {
    let fixture = try Fixture()
    defer { fixture.remove() }
    // Offers were found by their tokens.
    let offers = """
      CREATE TABLE old(
        token TEXT PRIMARY KEY, user TEXT NOT NULL, path TEXT NOT NULL, level INTEGER NOT NULL, created INTEGER NOT NULL,
        expires INTEGER
      ) WITHOUT ROWID;
      INSERT INTO old SELECT 'offer ' || user, user, path, level, created, expires FROM offers;
      DROP TABLE offers;
      ALTER TABLE old RENAME TO offers;
      """
    let tables = DirectoryTable.allCases.filter { ![.changes, .removed, .offers].contains($0) }.map {
      "ALTER TABLE \($0.rawValue) DROP COLUMN seal;"
    }.joined()
    let younger = ["digest", "previous", "nonce", "rotated"].map { "ALTER TABLE logins DROP COLUMN \($0);" }.joined()
    try fixture.edit(
      offers + tables + younger + "DROP TABLE changes; DROP TABLE removed; DROP TABLE seals; PRAGMA user_version = 5")
    unlink((fixture.path as NSString).deletingLastPathComponent + "/keys/directory.key")
    let directory = try SQLiteDirectory(path: fixture.path)
    defer { directory.close() }
    #expect(try DirectorySample.answers(of: directory) == fixture.answers)
    #expect(try directory.problems().isEmpty)
  }

  @Test("without its key a sealed directory is refused with what to do, and under another key no record is read")
  func key() throws {
    let fixture = try Fixture()
    defer { fixture.remove() }
    let key = (fixture.path as NSString).deletingLastPathComponent + "/keys/directory.key"
    unlink(key)
    let missing = #expect(throws: ServerError.self) { try SQLiteDirectory(path: fixture.path) }
    #expect(missing?.code == .badKey)
    #expect(!FileManager.default.fileExists(atPath: key))
    try SecretFile.write(String(repeating: "ab", count: 32), to: key)
    let directory = try SQLiteDirectory(path: fixture.path)
    defer { directory.close() }
    #expect(throws: ServerError.self) { try directory.user("ann") }
  }
}
