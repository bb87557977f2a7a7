import Foundation
@testable import ObjectServer
import ObjectServerTestSupport
import Testing

@Suite("pending accounts in files")
struct PendingAccountFilesTests {
  @Test("what holds for all pending accounts holds for those in a folder", arguments: PendingAccountsLaw.allCases)
  func law(law: PendingAccountsLaw) throws {
    let folder = NSTemporaryDirectory() + "/pending-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try law.check(PendingAccountFiles(folder: folder), PendingAccountFiles(folder: folder))
  }

  @Test("a file that is no account is none, and is removed with the expired ones")
  func damaged() throws {
    let folder = NSTemporaryDirectory() + "/pending-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let files = PendingAccountFiles(folder: folder)
    let account = PendingAccount(name: "ann@example.org", passwordHash: "hash", createdAt: 1_000)
    let registration = try files.put(account, ident: "1", lifetime: .seconds(60))
    let path = folder + "/" + registration + ".account"
    try Data("{".utf8).write(to: URL(fileURLWithPath: path))
    #expect(files.account(registration, at: .init(millisecondsSince1970: 1_001), lifetime: .seconds(60)) == nil)
    files.removeExpired(at: .init(millisecondsSince1970: 1_001), lifetime: .seconds(60))
    #expect(!FileManager.default.fileExists(atPath: path))
  }
}
