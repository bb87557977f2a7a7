import Foundation
@testable import ObjectServer
import Permissions
import Testing

@Suite("Overviews of realms that are remembered")
struct OverviewCacheTests {
  @Test("an overview is made once for files at rest, and anew for every change of one of them")
  func stamps() throws {
    let file = NSTemporaryDirectory() + "openrealm-overview-" + UUID().uuidString
    defer { for end in ["", "-wal"] { try? FileManager.default.removeItem(atPath: file + end) } }
    let cache = OverviewCache()
    let path = try RealmPath("/ann/pets")
    var made = 0
    func look(later seconds: Double) throws -> Int {
      try cache.overview(of: path, in: file, at: Date() + seconds) { () throws(ServerError) in
        made += 1
        return RealmOverview(path: path, bytes: made, clients: 0)
      }.bytes
    }
    try Data("a".utf8).write(to: URL(fileURLWithPath: file))
    #expect(try look(later: 0) == 1)
    #expect(try look(later: 10) == 2, "the file was changed just before the first look")
    #expect(try look(later: 10) == 2)
    try Data("b".utf8).write(to: URL(fileURLWithPath: file + "-wal"))
    #expect(try look(later: 10) == 3)
    #expect(try look(later: 0) == 3)
    try Data("bb".utf8).write(to: URL(fileURLWithPath: file + "-wal"))
    #expect(try look(later: 10) == 4)
    try FileManager.default.removeItem(atPath: file + "-wal")
    #expect(try look(later: 10) == 5)
  }
}
