@testable import SyncClient
import Synchronization
import Testing
import TransportSimulated

/// The contents and the end of progress notifications.
struct ProgressTests {
  private typealias Progress = SyncSession.Progress

  private static func status(
    downloaded: Int = 0, remaining: Int? = nil, uploaded: Int = 0, pending: Int? = nil
  ) -> SyncStatus {
    var status = SyncStatus()
    status.transfer.downloaded = downloaded
    status.transfer.uploaded = uploaded
    status.remainingDownloadBytes = remaining ?? 0
    status.isDownloadKnown = remaining != nil
    status.pendingUploadBytes = pending ?? 0
    status.areUploadsCounted = pending != nil
    return status
  }

  private static func told(
    _ direction: SyncSession.ProgressDirection, _ mode: SyncSession.ProgressMode, _ statuses: [SyncStatus]
  ) -> [[Int]] {
    var tracker = ProgressTracker(direction, mode)
    var told: [Progress?] = []
    for (index, status) in statuses.enumerated() {
      told.append(index == 0 ? tracker.begin(status) : tracker.update(status))
    }
    return told.compactMap { $0.map { [$0.transferredBytes, $0.transferrableBytes] } }
  }

  @Test("the total of outstanding work is fixed when it is known, not before, and the last call is complete")
  func outstandingDownload() {
    let told = Self.told(
      .download, .forCurrentlyOutstandingWork,
      [
        Self.status(), Self.status(remaining: 1_000), Self.status(downloaded: 400, remaining: 600),
        Self.status(downloaded: 400, remaining: 900), Self.status(downloaded: 990, remaining: 0),
        Self.status(downloaded: 2_000, remaining: 0),
      ])
    #expect(told == [[0, 1_000], [400, 1_000], [1_000, 1_000]])
  }

  @Test("an indefinite notification follows the latest total and goes on after it was complete")
  func indefiniteUpload() {
    let told = Self.told(
      .upload, .reportIndefinitely,
      [
        Self.status(), Self.status(pending: 300), Self.status(pending: 300),
        Self.status(uploaded: 300, pending: 0), Self.status(uploaded: 300, pending: 50),
      ])
    #expect(told == [[0, 300], [300, 300], [300, 350]])
  }

  @Test("nothing outstanding is complete at once, and told once")
  func nothing() {
    for direction in [SyncSession.ProgressDirection.upload, .download] {
      let idle = Self.status(remaining: 0, pending: 0)
      #expect(Self.told(direction, .forCurrentlyOutstandingWork, [idle, idle, idle]) == [[0, 0]])
    }
  }

  /// The calls of a notification, whose queue is drained by waiting for the block of another registration.
  private final class Calls: Sendable {
    let all = Mutex<[Progress]>([])
    func note(_ progress: Progress) { all.withLock { $0.append(progress) } }
    var list: [Progress] { all.withLock { $0 } }
    func last(_ condition: (Progress) -> Bool) async -> Bool {
      for _ in 0..<3_000 {
        if let last = list.last, condition(last) { return true }
        try? await Task.sleep(for: .milliseconds(10))
      }
      return false
    }
  }

  @Test("changes that are not sent yet count with their bytes, also the commit just before the registration")
  func offlineUpload() async {
    let (stage, file, session) = Stage.withOneDevice()
    stage.network.partition(["one"], from: ["server"])
    stage.run(.seconds(300))
    file.commit(Array(repeating: 1, count: 500))
    let calls = Calls()
    let token = session.addProgressNotification(for: .upload, mode: .forCurrentlyOutstandingWork) { calls.note($0) }
    stage.run()
    #expect(await calls.last { $0.transferrableBytes == 500 })
    file.commit(Array(repeating: 2, count: 300))
    stage.run()
    stage.network.heal()
    session.reconnect()
    stage.run(.seconds(30))
    #expect(await calls.last { $0.isTransferComplete })
    #expect(calls.list.map(\.transferrableBytes).allSatisfy { $0 == 500 })
    #expect(calls.list.count(where: \.isTransferComplete) == 1)
    #expect(token != nil)
  }

  @Test("a download begins at what the server has, with every mode, and a dropped token ends it")
  func download() async {
    let (stage, file, _) = Stage.withOneDevice()
    for number in 0..<20 as Range<UInt8> { file.commit(Array(repeating: number, count: 100)) }
    stage.run()
    let session = stage.open(PlainFile(), by: stage.client("two"))
    let current = Calls(), indefinite = Calls(), dropped = Calls()
    let kept = [
      session.addProgressNotification(for: .download, mode: .forCurrentlyOutstandingWork) { current.note($0) },
      session.addProgressNotification(for: .download, mode: .reportIndefinitely) { indefinite.note($0) },
    ]
    session.addProgressNotification(for: .download, mode: .reportIndefinitely) { dropped.note($0) }?.invalidate()
    stage.run()
    #expect(await current.last { $0.isTransferComplete })
    #expect(await indefinite.last { $0.transferredBytes == 2_000 })
    #expect(dropped.list.isEmpty)
    file.commit([9])
    stage.run()
    #expect(await indefinite.last { $0.transferredBytes == 2_001 })
    #expect(current.list.count(where: \.isTransferComplete) == 1)
    withExtendedLifetime(kept) {}
  }

  @Test("a session that has stopped gives no token for outstanding work")
  func stopped() {
    let (stage, _, session) = Stage.withOneDevice()
    session.change { $0.state = .invalid }
    #expect(session.addProgressNotification(for: .download, mode: .forCurrentlyOutstandingWork) { _ in } == nil)
    stage.run()
  }
}
