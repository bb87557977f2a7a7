import Foundation
@testable import ObjectServer
import ObjectServerTestSupport
import Permissions
import ServerClusterTestSupport
import Telemetry
import TestKit
import Testing

@Suite("the directory")
struct DirectoryTests {
  /// A file in a folder of its own, beside which its key is.
  static func path() throws -> String {
    let folder = NSTemporaryDirectory() + "openrealm-directory-" + UUID().uuidString
    try PrivateFolder.make(folder)
    return folder + "/directory.db"
  }

  static func remove(_ path: String) {
    try? FileManager.default.removeItem(atPath: (path as NSString).deletingLastPathComponent)
  }

  /// Why the laws of a directory in a file are not run over PostgreSQL here.
  private static let laws: Comment = "PostgresDirectoryTests have the same law over PostgreSQL"

  @Test(
    "the durable directory answers as the one in memory, reopened at any time",
    .enabled(if: TestStorage.isEmbedded, laws), arguments: Seeds.some(6))
  func model(seed: UInt64) throws {
    let path = try Self.path()
    defer { Self.remove(path) }
    var random = SeededGenerator(seed: seed)
    let model = MemoryDirectory()
    var durable = try SQLiteDirectory(path: path)
    for step in 0..<120 {
      if random.oneIn(20) {
        durable.close()
        durable = try SQLiteDirectory(path: path)
      }
      let edit = DirectoryEdit(using: &random)
      let expected = try edit.apply(to: model), found = try edit.apply(to: durable)
      #expect(found == expected, "SEED=\(seed) step \(step): \(edit)")
    }
    #expect(try DirectoryEdit.summary(of: durable) == DirectoryEdit.summary(of: model), "SEED=\(seed)")
    durable.close()
  }

  private static func directory(isDurable: Bool) throws -> any Directory {
    guard TestStorage.isEmbedded, isDurable else { return try TestStorage.directory() }
    return try SQLiteDirectory(path: ":memory:")
  }

  @Test(
    "a user who is removed during the login is not logged in, and the removal ends the user's logins",
    arguments: [true, false])
  func removedWhileLoggingIn(isDurable: Bool) throws {
    let directory: any Directory = try Self.directory(isDurable: isDurable)
    let random = RandomSource(SeededGenerator(seed: 1))
    let keys = try ServerKeys.load(from: NSTemporaryDirectory() + "openrealm-keys-" + UUID().uuidString, random: random)
    var policy = AccountPolicy()
    policy.passwordCost = 4
    policy.minimumPasswordBytes = 1
    let accounts = Accounts(
      directory: directory, policy: policy, issuer: keys.issuer, foreignKeys: [], random: random,
      clock: SystemWallClock())
    let ann = try accounts.register(name: "ann", password: "secret")
    let before = try accounts.openLogin(ann, app: "app", lifetime: .seconds(60))
    let login = try accounts.login(refreshToken: before.refresh).0.id
    #expect(try directory.login(login) != nil)
    #expect(try directory.deleteUser(ann.id))
    #expect(try directory.login(login) == nil)
    // The password was checked before that, and the login is opened after it.
    #expect(throws: APIError.self) { try accounts.openLogin(ann, app: "app", lifetime: .seconds(60)) }
    #expect(try directory.endLogins(of: ann.id, except: nil) == 0)
    #expect(throws: APIError.self) { try accounts.login(refreshToken: before.refresh) }
  }

  @Test("what holds for each directory holds in memory", arguments: DirectoryLaw.ofMemory)
  func lawInMemory(law: DirectoryLaw) throws {
    let directory = MemoryDirectory()
    try law.check(directory, directory)
  }

  @Test(
    "what holds for each directory holds over a file that two processes have open",
    .enabled(if: TestStorage.isEmbedded, laws), arguments: DirectoryLaw.allCases)
  func lawOfFiles(law: DirectoryLaw) throws {
    let path = try Self.path()
    defer { Self.remove(path) }
    let one = try SQLiteDirectory(path: path), other = try SQLiteDirectory(path: path)
    try law.check(one, other)
    #expect(try one.problems() == [])
    for directory in [one, other] { directory.close() }
  }

  @Test(
    "calls of two processes at the same time answer as if they came one after another",
    .enabled(if: TestStorage.isEmbedded, laws), arguments: Seeds.some(6))
  func race(seed: UInt64) async throws {
    let path = try Self.path()
    defer { Self.remove(path) }
    let race = DirectoryRace(using: SeededGenerator(seed: seed))
    let directories = try (0..<2).map { _ in try SQLiteDirectory(path: path) }
    for edit in race.before { _ = try edit.perform(on: directories[0]) }
    let answers = try await onOwnThread { try race.answers(of: directories) }
    #expect(try race.isSerial(answers, DirectoryEdit.summary(of: directories[0])), "SEED=\(seed)")
    #expect(try directories[1].problems() == [], "SEED=\(seed)")
    for directory in directories { directory.close() }
  }

  @Test(
    "a directory that is copied to another one says the same, with its seals; one with records takes no copy",
    .enabled(if: TestStorage.isEmbedded, "PostgresDirectorySealTests copy to a cluster and back"))
  func move() throws {
    let (path, copy) = (try Self.path(), try Self.path())
    defer { for path in [path, copy] { Self.remove(path) } }
    let folder = { (path: String) in (path as NSString).deletingLastPathComponent }
    let source = try SQLiteDirectory(path: path)
    try DirectorySample.fill(source)
    try FileManager.default.copyItem(atPath: folder(path) + "/keys", toPath: folder(copy) + "/keys")
    let target = try SQLiteDirectory(path: copy)
    #expect(try DirectoryMove.copy(from: source, to: target) > 20)
    #expect(try DirectorySample.answers(of: target) == DirectorySample.answers(of: source))
    #expect(try target.changes(after: 0) == source.changes(after: 0))
    #expect(try target.problems() == [])
    #expect(throws: ServerError.self) { try DirectoryMove.copy(from: source, to: target) }
    let stranger = try SQLiteDirectory(path: ":memory:")
    let error = #expect(throws: ServerError.self) { try DirectoryMove.copy(from: source, to: stranger) }
    #expect(error?.code == .badKey)
    #expect(try stranger.userCount() == 0)
    for directory in [source, target, stranger] { directory.close() }
  }

  @Test(
    "a file that is no directory, or of a newer release, is refused with what to do",
    .enabled(if: TestStorage.isEmbedded, "a file of SQLite"))
  func refused() throws {
    let path = try Self.path()
    defer { Self.remove(path) }
    try Data(repeating: 7, count: 4_096).write(to: URL(fileURLWithPath: path))
    #expect(throws: ServerError.self) { try SQLiteDirectory(path: path) }
    #expect(throws: ServerError.self) { try SQLiteDirectory(path: "/proc/nowhere/directory.db") }
  }

  @Test("a closed directory answers with an error", .enabled(if: TestStorage.isEmbedded, laws))
  func closed() throws {
    let directory = try SQLiteDirectory(path: ":memory:")
    directory.close()
    #expect(throws: ServerError.self) { try directory.user("ann") }
  }

  @Test("a second server on one data directory is told who holds it, and the first one's end frees it")
  func lock() throws {
    let folder = NSTemporaryDirectory() + "openrealm-lock-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try PrivateFolder.make(folder)
    let first = try DataDirectoryLock(path: folder + "/lock", directory: folder)
    do {
      _ = try DataDirectoryLock(path: folder + "/lock", directory: folder)
      Issue.record("two locks at once")
    } catch {
      #expect(error.code == .dataDirectoryLocked)
      #expect(error.description.contains("process \(getpid())"))
      #expect(error.description.contains("--data"))
    }
    first.release()
    try DataDirectoryLock(path: folder + "/lock", directory: folder).release()
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

  @Test("every legal path can be opened, and opened again", arguments: [1, 2, 10, 100, 200])
  func longPaths(segment: Int) throws {
    let folder = NSTemporaryDirectory() + "openrealm-long-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let name = String(repeating: "a", count: segment)
    // As many segments as a path can have.
    let text = String(repeating: "/" + name, count: RealmPath.maximumBytes / (segment + 1))
    let path = try RealmPath(text)
    let random = RandomSource(SeededGenerator(seed: 1))
    let histories = try TestStorage.histories(.folder(folder), random: random)
    let first = try histories.open(path, isNew: true)
    let file = try first.allocateClientFile()
    first.close()
    let second = try histories.open(path, isNew: false)
    #expect(try second.clientFile(file.ident)?.salt == file.salt)
    second.close()
    try histories.remove(path)
    #expect(
      RealmFileName.possiblePaths(of: path).allSatisfy { !FileManager.default.fileExists(atPath: folder + "/" + $0) })
  }

  @Test("a file with a long name from before is found under it")
  func formerLongPaths() throws {
    let folder = NSTemporaryDirectory() + "openrealm-long-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let path = try RealmPath("/" + String(repeating: "a", count: 150) + "/" + String(repeating: "b", count: 150))
    let possible = RealmFileName.possiblePaths(of: path)
    #expect(possible.count == 2)
    #expect(RealmFileName.relativePath(of: path, in: folder) == possible.first)
    let former = folder + "/" + (possible.last ?? "")
    try PrivateFolder.make(ofFile: former)
    #expect(FileManager.default.createFile(atPath: former, contents: nil))
    #expect(RealmFileName.relativePath(of: path, in: folder) == possible.last)
  }

  @Test("a path that is too long once the user's id stands in it is illegal for good")
  func longUsers() throws {
    let text = "/~/" + String(repeating: "a/", count: 500) + "a"
    #expect(throws: Never.self) { try RealmPath(text, for: UserId("ann")) }
    #expect(throws: RealmPathError.self) { try RealmPath(text, for: UserId(String(repeating: "x", count: 100))) }
  }
}
