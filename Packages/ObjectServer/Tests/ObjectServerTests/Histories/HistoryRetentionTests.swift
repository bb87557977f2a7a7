import ChangesetOT
import RecordStore
import Permissions
import SyncProtocol
import Synchronization
import TestKit
import Testing

@testable import ObjectServer

@Suite("history retention")
struct HistoryRetentionTests {
  @Test("a late first download is recorded, an immediate one costs no commit")
  func firstDownload() throws {
    let now = Mutex(Int64(1))
    let clock: @Sendable () -> OriginTimestamp = { OriginTimestamp(unixMilliseconds: now.withLock { $0 } * 1_000) }
    var random = SeededGenerator(seed: 1)
    let history = try ServerHistory(
      try RealmFile.open(.inMemory(name: "history retention"), options: RealmFile.Options(clock: clock)),
      random: &random)
    let retention = HistoryRetention(
      history, policy: RetentionPolicy(firstDownloadGrace: .seconds(10)),
      stored: StoredRetentionStats(RetentionStatsTable(), try Permissions.RealmPath("/a")))
    now.withLock { $0 = 1_767_225_600 }
    let file = try history.allocateClientFile(random: &random).ident
    for (seconds, seen) in [(1, 0), (5, 0), (6, 6), (11, 6), (12, 12)] as [(Int64, Int64)] {
      now.withLock { $0 = 1_767_225_600 + seconds }
      let scan = try retention.bootstrapScan(DownloadScanRequest(file: file, from: .zero, byteBudget: 1_000))
      #expect(scan == nil)
      let expected = OriginTimestamp(unixMilliseconds: (1_767_225_600 + seen) * 1_000)
      #expect(try history.clientFile(file)?.lastSeen == expected, "after \(seconds) s")
    }
  }
}
