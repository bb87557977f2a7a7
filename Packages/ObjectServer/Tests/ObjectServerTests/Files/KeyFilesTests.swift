import AccessTokens
import Cryptography
import Foundation
@testable import ObjectServer
import Synchronization
import Telemetry
import TestKit
import Testing

@Suite("files of keys")
struct KeyFilesTests {
  private static let now = WallTime(secondsSince1970: 1_000)

  @Test("a folder becomes a copy of keys, and only names of keys are written or removed")
  func copies() throws {
    let folder = NSTemporaryDirectory() + "openrealm-keyfiles-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: folder) }
    var keys = KeyFiles([
      "../evil": "x", "admin.json": "x", "token-1.key": "a", "token-x.key": "b", "directory.key": "c",
    ])
    #expect(keys.texts == ["token-1.key": "a", "directory.key": "c"])
    #expect(!keys.isComplete)
    keys.makeMissing(RandomSource(SeededGenerator(seed: 1)))
    #expect(keys.texts["directory.key"] == "c")
    keys.prepareRotation(RandomSource(SeededGenerator(seed: 2)))
    try keys.write(to: folder)
    try "x".write(toFile: folder + "/admin.json", atomically: true, encoding: .utf8)
    #expect(try KeyFiles(folder: folder) == keys)
    let (old, next) = (keys.texts["token.key"], keys.texts["token-next.key"])
    keys.finishRotation(at: Self.now, overlap: .seconds(5))
    #expect(keys.texts["token.key"] == next)
    #expect(keys.texts["token-1005.key"] == old)
    try keys.write(to: folder)
    #expect(try KeyFiles(folder: folder) == keys)
    #expect(FileManager.default.fileExists(atPath: folder + "/admin.json"))
    let unchanged = keys
    keys.finishRotation(at: Self.now, overlap: .seconds(5))
    #expect(keys == unchanged)
  }

  @Test("an unknown key is looked for once a second, and only where others sign", arguments: [true, false])
  func looks(isShared: Bool) throws {
    let old = TokenIssuer(key: try .sharedSecret(Array(repeating: 1, count: 32)), keyIdentifier: "old")
    let strange = TokenIssuer(key: try .sharedSecret(Array(repeating: 2, count: 32)), keyIdentifier: "strange")
    let reads = Mutex(0)
    let keys = LiveTokenKeys(
      old,
      read: { () throws(ServerError) in
        reads.withLock { $0 += 1 }
        return old
      }, isShared: isShared)
    let claims = TokenClaims(
      kind: .access, user: "ann", app: "", issuedAt: Self.now, expiresAt: Self.now + .seconds(60))
    func attempts(_ token: String, at now: WallTime) {
      for _ in 0..<5 { #expect(throws: TokenError.self) { try keys.verify(token, kind: .access, at: now) } }
    }
    attempts(try strange.sign(claims), at: Self.now)
    #expect(reads.withLock { $0 } == (isShared ? 1 : 0))
    attempts(try strange.sign(claims), at: Self.now + .seconds(1))
    #expect(reads.withLock { $0 } == (isShared ? 2 : 0))
    // One that names the present key is forged, and one without a name is of nobody here.
    let forged = TokenIssuer(key: strange.key, keyIdentifier: "old")
    attempts(try forged.sign(claims), at: Self.now + .seconds(3))
    attempts(try TokenIssuer(key: strange.key).sign(claims), at: Self.now + .seconds(3))
    #expect(reads.withLock { $0 } == (isShared ? 2 : 0))
    #expect(try keys.verify(try old.sign(claims), kind: .access, at: Self.now).user == "ann")
  }
}
