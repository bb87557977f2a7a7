import ChangesetOT
import RecordStore
import Permissions
import SyncProtocol
import Synchronization
import TestKit
import Testing

@testable import ObjectServer

@Suite("keeping history")
struct HistoryKeeperTests {
  @Test("who begins the first download late is noted, without a commit for everybody who begins it at once")
  func firstDownload() throws {
    let now = Mutex(Int64(1))
    let clock: @Sendable () -> OriginTimestamp = { OriginTimestamp(unixMilliseconds: now.withLock { $0 } * 1_000) }
    var random = SeededGenerator(seed: 1)
    let history = try ServerHistory(
      try RealmFile.open(.inMemory(name: "history keeper"), options: RealmFile.Options(clock: clock)), random: &random)
    let keeper = HistoryKeeper(
      history, upkeep: HistoryUpkeep(firstDownloadGrace: .seconds(10)),
      notes: KeptNotes(KeeperNotesBook(), try Permissions.RealmPath("/a")))
    now.withLock { $0 = 1_767_225_600 }
    let file = try history.allocateClientFile(random: &random).ident
    for (seconds, seen) in [(1, 0), (5, 0), (6, 6), (11, 6), (12, 12)] as [(Int64, Int64)] {
      now.withLock { $0 = 1_767_225_600 + seconds }
      let scan = try keeper.bootstrapScan(DownloadScanRequest(file: file, from: .zero, byteBudget: 1_000))
      #expect(scan == nil)
      let expected = OriginTimestamp(unixMilliseconds: (1_767_225_600 + seen) * 1_000)
      #expect(try history.clientFile(file)?.lastSeen == expected, "after \(seconds) s")
    }
  }
}
