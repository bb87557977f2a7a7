import ChangesetOT
import Foundation
import Permissions
import RecordStore
import SyncProtocol
import Synchronization
import TestKit
import Testing

@testable import ObjectServer

@Suite("bootstraps within queries that do not come to their end")
struct BrokenBootstrapTests {
  /// A clock that the test sets.
  private final class Time: Sendable {
    let seconds = Mutex(Int64(1_767_225_600))
  }

  /// A realm with people, and two clients that get the state of a set in many parts.
  private struct Scene {
    let time = Time()
    let retention: HistoryRetention
    let client: FileIdent
    let other: FileIdent
    private let set = QuerySet(version: QueryVersion(1), json: #"{"Person":"(age > 0)"}"#)

    init() throws {
      let clock: @Sendable () -> OriginTimestamp = { [time] in
        OriginTimestamp(unixMilliseconds: time.seconds.withLock { $0 } * 1_000)
      }
      var random = SeededGenerator(seed: 1)
      let history = try ServerHistory(
        try RealmFile.open(.inMemory(name: "broken bootstraps \(UUID())"), options: RealmFile.Options(clock: clock)),
        random: &random)
      retention = HistoryRetention(
        history, policy: RetentionPolicy(bootstrapMessageBytes: 1),
        stored: StoredRetentionStats(RetentionStatsTable(), try Permissions.RealmPath("/a")))
      client = try history.allocateClientFile(random: &random).ident
      other = try history.allocateClientFile(random: &random).ident
      let author = try history.allocateClientFile(random: &random).ident
      let origin = ChangesetOrigin(timestamp: clock(), file: .none)
      let people = Changeset(
        instructions: FlexiblePeople.schema + (Int64(1)...2_000).flatMap { FlexiblePeople.person($0, age: $0) },
        origin: origin)
      let cursor = UploadCursor(client: ClientVersion(2), server: .zero)
      let entry = UploadEntry(cursor: cursor, timestamp: clock(), changeset: people.encoded())
      _ = try history.integrate([
        UploadBatch(file: author, progress: cursor, lockedServerVersion: .zero, entries: [entry])
      ])
    }

    /// The next scan of a client that holds nothing.
    ///
    /// - Parameter former: the scan that it goes on with; nil for the first one of a session.
    func scan(_ file: FileIdent, after former: DownloadScan? = nil, isStock: Bool = true) throws -> DownloadScan {
      let request = DownloadScanRequest(
        file: file, from: former?.progress.download ?? .zero, byteBudget: 1,
        view: ViewRequest(held: QuerySet(), wanted: set), continuesBootstrap: former?.batch?.state == .moreToCome,
        access: ViewAccess(user: "ann", followsLinks: !isStock))
      return try retention.viewScan(request, try #require(request.view))
    }

    /// Whether the first scan of a session ends it with the word to try again.
    func isToTryAgain(isStock: Bool = true) throws -> Bool {
      do {
        let scan = try scan(client, isStock: isStock)
        #expect(scan.batch?.state == .moreToCome)
        return false
      } catch let failure as SessionFailure {
        #expect(failure.code == .sessionClosed && failure.details.tryAgain)
        return true
      }
    }
  }

  @Test("a stock client that may have parts of one is told to try again, once", arguments: [false, true])
  func stock(isGivenUp: Bool) throws {
    let scene = try Scene()
    let part = try scene.scan(scene.client)
    #expect(part.batch?.state == .moreToCome)
    if isGivenUp {
      scene.time.seconds.withLock { $0 += HistoryRetention.patience.components.seconds + 1 }
      _ = try scene.scan(scene.other)
      // The session that the bootstrap belongs to does not go on with it, either.
      #expect(throws: SessionFailure.self) { try scene.scan(scene.client, after: part) }
    }
    #expect(try scene.isToTryAgain())
    var scan = try scene.scan(scene.client)
    while scan.batch?.state == .moreToCome { scan = try scene.scan(scene.client, after: scan) }
    #expect(scan.batch?.state == .last)
    // A client that did not get the last part may have those before it.
    #expect(try scene.isToTryAgain())
    #expect(try !scene.isToTryAgain())
  }

  @Test("a client of ours forgets its parts by itself, and is not kept waiting")
  func ours() throws {
    let scene = try Scene()
    for _ in 0..<2 { #expect(try !scene.isToTryAgain(isStock: false)) }
  }
}
