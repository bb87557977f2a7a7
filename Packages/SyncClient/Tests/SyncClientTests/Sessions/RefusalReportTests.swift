import ChangesetOT
import RecordStore
@testable import SyncClient
import SyncProtocol
import Telemetry
import Testing

/// Reports of refused writes outlive the process that took the undoing version.
struct RefusalReportTests {
  static func report(_ version: UInt64?) -> SyncFailure {
    let write = CompensatingWrite(
      serverVersion: version.map { ServerVersion($0) }, rejectedClientVersion: ClientVersion(4),
      rejections: [.init(reason: "rule \"readers\"", className: "Note", primaryKey: "Ag==")])
    return SyncFailure(
      origin: .server, code: .compensatingWrite, message: "undone", action: .warning, compensation: write)
  }

  @Test("a kept report is read as it was", arguments: [nil, 0, 7, UInt64(Int64.max)])
  func roundTrip(_ version: UInt64?) throws {
    let failure = Self.report(version)
    #expect(try RefusalReport(decoding: #require(RefusalReport(failure)).pending().content).failure == failure)
  }

  @Test("a report that is about something else is not kept")
  func others() {
    #expect(RefusalReport(SyncFailure(origin: .network, message: "gone")) == nil)
  }

  @Test("a report is kept in the commit that makes it true, until it is given")
  func keeping() throws {
    let realm = try RealmFile.open(
      .inMemory(name: "refusal reports"), options: .init(recordsChangesets: true, createsIfMissing: true))
    let file = HistoryFile(realm)
    for version in [3, 5] as [UInt64] {
      var progress = SyncProgress()
      progress.download.server = ServerVersion(version)
      _ = try file.integrate(
        DownloadMessage(session: SessionIdent(1), progress: progress), reports: [Self.report(version)])
    }
    #expect(try HistoryFile(realm).state().reports == [Self.report(3), Self.report(5)])
    try file.given(Self.report(4))
    #expect(try file.state().reports.count == 2)
    try file.given(Self.report(3))
    #expect(try HistoryFile(realm).state().reports == [Self.report(5)])
    try file.given(Self.report(5))
    #expect(try HistoryFile(realm).state().reports.isEmpty)
  }

  @Test("a reset keeps the refusals that the application was not given, and no other")
  func resetting() throws {
    func realm(_ name: String) throws -> RealmFile {
      try RealmFile.open(.inMemory(name: name), options: .init(recordsChangesets: true, createsIfMissing: true))
    }
    let file = HistoryFile(try realm("refusals at a reset"))
    func write(_ version: UInt64) throws -> CompensatingWrite {
      var write = try #require(Self.report(version).compensation)
      write.rejectedClientVersion = ClientVersion(version)
      return write
    }
    func report(_ version: UInt64) throws -> SyncFailure {
      SyncFailure(
        origin: .server, code: .compensatingWrite, message: "undone", action: .warning,
        compensation: try write(version))
    }
    let message = DownloadMessage(session: SessionIdent(1), progress: SyncProgress())
    _ = try file.integrate(message, reports: [report(3), report(5)])
    try file.given(report(3))
    let fresh = HistoryFile(try realm("refusals at a reset, fresh"))
    let untold = try [write(3), write(5), write(8)]
    _ = try file.reset(to: fresh, ClientReset(mode: .recover), untold: untold) { _ in }
    let kept = try file.state().reports.compactMap { $0.compensation?.rejectedClientVersion.rawValue }
    #expect(kept == [5, 8])
  }

  @Test("a session gives the application what an earlier process left, once")
  func nextStart() {
    let stage = Stage()
    let file = PlainFile()
    file.content.withLock { $0.reports = [Self.report(3), Self.report(5)] }
    let heard = Box<[UInt64]>([])
    for name in ["one", "two"] {
      let client = stage.client(name)
      client.errorHandler = { error, _ in
        heard.change { $0.append(error.cause?.compensation?.serverVersion?.rawValue ?? 0) }
      }
      let session = stage.open(file, by: client)
      stage.run()
      session.close()
      stage.run()
    }
    #expect(heard.value == [3, 5])
    #expect(file.content.withLock { $0.reports.isEmpty })
  }
}
