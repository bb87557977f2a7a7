import ChangesetOT
@testable import ObjectServer
import SyncProtocol
import TestKit
import Testing

@Suite("the scan cache")
struct ScanCacheTests {
  @Test("a derived scan equals the one of the store", arguments: Seeds.some(40))
  func law(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let store = PlainHistory()
    let files = try (0..<4).map { _ in try store.allocateClientFile().ident }
    var versions = [UInt64](repeating: 1, count: files.count)
    for _ in 0..<12 {
      let author = Int.random(in: 0..<files.count - 1, using: &random)
      versions[author] += UInt64.random(in: 1...3, using: &random)
      let bytes = [UInt8](repeating: 7, count: Int.random(in: 1...40, using: &random))
      _ = try store.integrate([UploadBatch(bytes, from: files[author], version: versions[author])])
    }
    var scans = ScanCache()
    for _ in 0..<60 {
      let number = Int.random(in: 0..<files.count, using: &random)
      let request = DownloadScanRequest(
        file: files[number],
        from: DownloadCursor(
          server: ServerVersion(UInt64.random(in: 0...12, using: &random)), client: ClientVersion(versions[number])),
        byteBudget: [20, 1_000][Int.random(in: 0...1, using: &random)])
      #expect(try scans.scan(request, on: store) == store.scan(request), "SEED=\(seed)")
    }
  }
}
