import ChangesetOT
import DataModel
import Foundation
import Synchronization
import TestKit
import Testing

@testable import RecordStore

@Suite("bootstraps of a client with queries")
struct ClientBootstrapTests {
  private static let schema = Schema([
    ObjectSchema(
      className: "Dog", primaryKey: "_id",
      properties: [Property(name: "_id", type: .int), Property(name: "name", type: .string)])
  ])

  /// A changeset with one dog.
  private func dog(_ key: Int64) throws -> [UInt8] {
    let file = try memoryFile(recordsChangesets: true)
    try file.edit { editor in
      try editor.addClasses(Self.schema)
      try editor.create(ObjectReference(className: "Dog", key: .int(key)))
    }
    return Array(try #require(try ClientHistory(file).uploadableEntries(after: .zero).entries.first).changeset)
  }

  /// A message of a bootstrap of set 1 with one dog.
  private func take(_ key: Int64, _ state: DownloadBatch.State, into file: RealmFile) throws -> IntegratedBatch {
    let cursor = DownloadCursor(server: ServerVersion(UInt64(key)), client: .zero)
    let progress = SyncProgress(
      latestServerVersion: SaltedServerVersion(version: ServerVersion(9), salt: 5), download: cursor, upload: .zero)
    return try ClientHistory(file).integrate(
      [DownloadEntry(cursor: cursor, timestamp: OriginTimestamp(1), origin: .server, changeset: try dog(key))],
      progress: progress, batch: DownloadBatch(query: QueryVersion(1), state: state))
  }

  private func keys(_ file: RealmFile) throws -> Set<ObjectKey> { Set((try file.dump().objects["Dog"] ?? [:]).keys) }

  private func prepare(_ file: RealmFile) throws {
    let store = SubscriptionStore(file)
    try store.prepare()
    guard try store.sets()?.latest.version == .zero else { return }
    try store.update { $0.append(SubscriptionRecord(className: "Dog", query: "TRUEPREDICATE")) }
  }

  @Test("progress and data stay as they were until the last message has come")
  func progress() throws {
    let file = try memoryFile(recordsChangesets: true)
    try prepare(file)
    #expect(try take(1, .moreToCome, into: file).progress == SyncProgress())
    #expect(try keys(file).isEmpty)
    #expect(try take(2, .moreToCome, into: file).progress == SyncProgress())
    #expect(try take(3, .last, into: file).progress.download.server == ServerVersion(3))
    #expect(try keys(file) == [.int(1), .int(2), .int(3)])
    #expect(try file.store.log(BootstrapBatch.logName).lastPosition() == nil)
  }

  @Test("local changes that the server has not seen are merged with a bootstrap")
  func merging() throws {
    let file = try memoryFile(recordsChangesets: true, clock: 5)
    try prepare(file)
    try file.edit { editor in
      try editor.addClasses(Self.schema)
      let rex = ObjectReference(className: "Dog", key: .int(2))
      try editor.create(rex)
      try editor.set(["name": .value(.string("Rex"))], of: rex)
    }
    _ = try take(1, .moreToCome, into: file)
    _ = try take(2, .last, into: file)
    #expect(try keys(file) == [.int(1), .int(2)])
    #expect(try file.dump().objects["Dog"]?[.int(2)]?["name"] == .value(.string("Rex")))
    #expect(try ClientHistory(file).pendingCount() == 1)
  }

  @Test("messages of a set that the server gave up are dropped with the first of another one")
  func abandoned() throws {
    let file = try memoryFile(recordsChangesets: true)
    try prepare(file)
    try SubscriptionStore(file).update { $0.removeAll() }
    _ = try take(1, .moreToCome, into: file)
    let cursor = DownloadCursor(server: ServerVersion(4), client: .zero)
    let entry = DownloadEntry(cursor: cursor, timestamp: OriginTimestamp(1), origin: .server, changeset: try dog(4))
    let progress = SyncProgress(
      latestServerVersion: SaltedServerVersion(version: ServerVersion(9), salt: 5), download: cursor, upload: .zero)
    _ = try ClientHistory(file).integrate(
      [entry], progress: progress, batch: DownloadBatch(query: QueryVersion(2), state: .last))
    #expect(try keys(file) == [.int(4)])
    #expect(try SubscriptionStore(file).sets()?.sets.map(\.version) == [QueryVersion(2)])
  }

  @Test("a process that is killed at any commit leaves none or all of a bootstrap, and goes on to the same end")
  func kills() throws {
    struct Killed: Error {}
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("bootstrap-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    var outcomes: Set<String> = []
    for deadline in 0..<8 {
      let location = RealmLocation.file(path: folder.appendingPathComponent("\(deadline).realm").path)
      let commits = Mutex(0)
      var options = RealmFile.Options(recordsChangesets: true, clock: { OriginTimestamp(1) })
      options.beforeCommit = {
        let count = commits.withLock { commits in
          commits += 1
          return commits
        }
        if count > deadline { throw Killed() }
      }
      do {
        let file = try RealmFile.open(location, options: options)
        try prepare(file)
        for (key, state) in [(1, .moreToCome), (2, .moreToCome), (3, .last)] as [(Int64, DownloadBatch.State)] {
          _ = try take(key, state, into: file)
        }
        try SubscriptionStore(file).complete(QueryVersion(1))
      } catch {}
      options.beforeCommit = nil
      let file = try RealmFile.open(location, options: options)
      let found = try keys(file)
      outcomes.insert("\(found.count)")
      #expect(found.isEmpty || found.count == 3, "killed at commit \(deadline)")
      let isInForce = try SubscriptionStore(file).sets()?.active.version == QueryVersion(1)
      #expect(isInForce == (found.count == 3), "killed at commit \(deadline)")
      try ClientHistory(file).discardBootstrap()
      #expect(try file.store.log(BootstrapBatch.logName).lastPosition() == nil)
      try prepare(file)
      if !isInForce {
        for key in [1, 2, 3] as [Int64] { _ = try take(key, key == 3 ? .last : .moreToCome, into: file) }
      }
      try SubscriptionStore(file).complete(QueryVersion(1))
      #expect(try keys(file).count == 3)
      #expect(try SubscriptionStore(file).sets()?.active.state == .complete)
    }
    #expect(outcomes == ["0", "3"])
  }

  @Test("a reset drops an incomplete bootstrap, and keeps the subscriptions")
  func resets() throws {
    let file = try memoryFile(recordsChangesets: true)
    try prepare(file)
    _ = try take(1, .last, into: file)
    try SubscriptionStore(file).update { $0.append(SubscriptionRecord(className: "Dog", query: "_id < 3")) }
    let cursor = DownloadCursor(server: ServerVersion(4), client: .zero)
    let entry = DownloadEntry(cursor: cursor, timestamp: OriginTimestamp(1), origin: .server, changeset: try dog(4))
    let progress = SyncProgress(
      latestServerVersion: SaltedServerVersion(version: ServerVersion(9), salt: 5), download: cursor, upload: .zero)
    let batch = DownloadBatch(query: QueryVersion(2), state: .moreToCome)
    _ = try ClientHistory(file).integrate([entry], progress: progress, batch: batch)
    let fresh = try memoryFile(recordsChangesets: true)
    try prepare(fresh)
    _ = try take(2, .last, into: fresh)
    _ = try ClientHistory(file).reset(to: ClientHistory(fresh), ClientReset(mode: .discard))
    #expect(try keys(file) == [.int(2)])
    #expect(try SubscriptionStore(file).sets()?.sets.map(\.state) == [.awaitingMark, .pending])
    #expect(try file.store.log(BootstrapBatch.logName).lastPosition() == nil)
  }

  @Test("a file keeps the mode that it was first synced in")
  func modes() throws {
    let whole = try memoryFile(recordsChangesets: true)
    try ClientHistory(whole).storeFileIdent(SaltedFileIdent(ident: FileIdent(2), salt: 4))
    #expect(throws: RecordStoreError(.incompatibleHistories)) { try SubscriptionStore(whole).prepare() }
    let queried = try memoryFile(recordsChangesets: true)
    #expect(try SubscriptionStore(queried).prepare())
    #expect(try !SubscriptionStore(queried).prepare())
    #expect(throws: RecordStoreError(.incompatibleHistories)) { try SubscriptionStore(queried).checkIsSyncedWhole() }
    try SubscriptionStore(whole).checkIsSyncedWhole()
  }
}
