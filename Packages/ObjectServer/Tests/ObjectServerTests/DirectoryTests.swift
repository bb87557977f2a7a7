import Foundation
@testable import ObjectServer
import Permissions
import Telemetry
import TestKit
import Testing

@Suite("the directory")
struct DirectoryTests {
  static func path() -> String { NSTemporaryDirectory() + "openrealm-directory-" + UUID().uuidString + ".db" }

  static func remove(_ path: String) {
    for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
  }

  @Test("the durable directory answers as the one in memory, reopened at any time", arguments: Seeds.some(6))
  func model(seed: UInt64) throws {
    let path = Self.path()
    defer { Self.remove(path) }
    var random = SeededGenerator(seed: seed)
    let model = MemoryDirectory()
    var durable = try SQLiteDirectory(path: path)
    for step in 0..<120 {
      if random.oneIn(20) {
        durable.close()
        durable = try SQLiteDirectory(path: path)
      }
      let edit = Edit(using: &random)
      let expected = try edit.apply(to: model), found = try edit.apply(to: durable)
      #expect(found == expected, "SEED=\(seed) step \(step): \(edit)")
    }
    #expect(try Edit.summary(of: durable) == Edit.summary(of: model), "SEED=\(seed)")
    durable.close()
  }

  @Test("a file that is no directory, or of a newer release, is refused with what to do")
  func refused() throws {
    let path = Self.path()
    defer { Self.remove(path) }
    try Data(repeating: 7, count: 4_096).write(to: URL(fileURLWithPath: path))
    #expect(throws: ServerError.self) { try SQLiteDirectory(path: path) }
    #expect(throws: ServerError.self) { try SQLiteDirectory(path: "/proc/nowhere/directory.db") }
  }

  @Test("a closed directory answers with an error")
  func closed() throws {
    let directory = try SQLiteDirectory(path: ":memory:")
    directory.close()
    #expect(throws: ServerError.self) { try directory.user("ann") }
  }

  @Test("a second server on one data directory is told who holds it, and the first one's end frees it")
  func lock() throws {
    let folder = NSTemporaryDirectory() + "openrealm-lock-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try FolderMaker.makeFolder(folder)
    let first = try DirectoryLock(path: folder + "/lock", directory: folder)
    do {
      _ = try DirectoryLock(path: folder + "/lock", directory: folder)
      Issue.record("two locks at once")
    } catch {
      #expect(error.code == .dataDirectoryLocked && error.description.contains("process \(getpid())"))
      #expect(error.description.contains("--data"))
    }
    first.release()
    try DirectoryLock(path: folder + "/lock", directory: folder).release()
  }

  @Test("keys are made once, readable by their owner only, and a broken one is refused")
  func keys() throws {
    let folder = NSTemporaryDirectory() + "openrealm-keys-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let random = RandomSource(SeededGenerator(seed: 1))
    let text = try ServerKeys.load(from: folder, random: random).issuer.sign(TestClaims.access)
    #expect(try ServerKeys.load(from: folder, random: random).issuer.sign(TestClaims.access) == text)
    let mode = try FileManager.default.attributesOfItem(atPath: folder + "/token.key")[.posixPermissions] as? Int
    #expect(mode == 0o600)
    try SecretFile.write("rubbish", to: folder + "/token.key")
    #expect(throws: ServerError.self) { try ServerKeys.load(from: folder, random: random) }
  }

  @Test(
    "every realm has a file of its own",
    arguments: [
      ("/ann/todo", "named/ann.d/todo.realm"), ("/news", "named/news.realm"), ("/a/b/c", "named/a.d/b.d/c.realm"),
      ("\"team a\"", "partitions/s_team%20a.realm"), ("null", "partitions/null.realm"),
      ("\"../../etc\"", "partitions/s_%2E%2E%2F%2E%2E%2Fetc.realm"),
      ("{\"$numberLong\":\"-4\"}", "partitions/l_-4.realm"),
      ("{\"$numberInt\":\"-4\"}", "partitions/i_-4.realm"),
    ])
  func fileNames(path: String, file: String) throws {
    #expect(RealmFileName.relativePath(of: try RealmPath(path)) == file)
  }
}
