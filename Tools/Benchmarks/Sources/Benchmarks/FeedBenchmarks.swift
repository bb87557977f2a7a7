import ChangesetOT
import CommitFeed
import DataModel
import Foundation
import RecordStore
import TestKit

/// The commit feed: the price of a cursor for uploads, and reading of commits with and without the values they changed.
let feedBenchmarks = Suite(prefix: "feed.") { report in
  if report.wants("feed.integrate") {
    let plain = try FeedWorkload(), read = try FeedWorkload()
    try read.addCursor()
    let base = try medianSeconds(of: 1) { try plain.integrate(commits: 5_000) }
    let time = try medianSeconds(of: 1) { try read.integrate(commits: 5_000) }
    report.row(
      "feed.integrate-5k", "5,000 uploads of one changed object in a realm with a cursor, beside one without",
      ours: time, rival: base, unit: "s", .costAtMost(3))
  }
  if report.wants("feed.read") {
    let work = try FeedWorkload()
    try work.addCursor()
    try work.integrate(commits: 20_000)
    let commits = try work.secondsToRead(changes: false)
    let changes = try work.secondsToRead(changes: true)
    report.row("feed.read-20k", "20,000 commits read", ours: 20_000 / commits, rival: nil, unit: "/s")
    report.row(
      "feed.read-changes-20k", "the same with the objects' values before and after", ours: 20_000 / changes, rival: nil,
      unit: "/s")
  }
  if report.wants("feed.advance") {
    let work = try FeedWorkload()
    try work.addCursor()
    try work.integrate(commits: 1_000)
    report.row(
      "feed.advance-1k", "a move of the cursor, in memory", ours: try work.secondsToAdvance(), rival: nil, unit: "s")
  }
}

/// A realm of 1,000 tasks in memory, and a client that changes one of them in each upload.
private final class FeedWorkload {
  private let history: ServerHistory
  private let client: FileIdent
  private var version: UInt64 = 1

  init() throws {
    var random = SeededGenerator(seed: 1)
    history = try ServerHistory(try RealmFile.open(.inMemory(name: "feed \(UUID())")), random: &random)
    client = try history.allocateClientFile(random: &random).ident
    let task = ObjectSchema(
      className: "Task", primaryKey: "id",
      properties: [
        Property(name: "id", type: .int), Property(name: "owner", type: .string), Property(name: "done", type: .bool),
        Property(name: "title", type: .string), Property(name: "due", type: .int),
      ])
    try history.file.edit { editor in
      try editor.addClasses(Schema([task]))
      for key in Int64(0)..<1_000 {
        let object = ObjectReference(className: "Task", key: .int(key))
        try editor.create(object)
        try editor.set(["title": .value(.string("task \(key) of many"))], of: object)
      }
    }
  }

  private var feed: CommitFeed { CommitFeed(of: "/tasks", history) }

  func addCursor() throws { _ = try feed.reader("benchmark") }

  /// Uploads in groups of 50.
  func integrate(commits: Int) throws {
    for _ in 0..<commits / 50 {
      var entries: [UploadEntry] = []
      for _ in 0..<50 {
        version += 1
        let object = ObjectReference(className: "Task", key: .int(Int64(version &* 7 % 1_000)))
        let update = Update(target: Target(object: object, field: "owner"), payload: .string("user \(version)"))
        let changeset = Changeset(
          instructions: [.update(update)], origin: ChangesetOrigin(timestamp: OriginTimestamp(version), file: client))
        let cursor = UploadCursor(client: ClientVersion(version), server: ServerVersion(1))
        entries.append(
          UploadEntry(
            cursor: cursor, timestamp: OriginTimestamp(version), origin: .none, changeset: changeset.encoded()))
      }
      let progress = UploadCursor(client: ClientVersion(version), server: ServerVersion(1))
      _ = try history.integrate([
        UploadBatch(file: client, progress: progress, lockedServerVersion: .zero, entries: entries)
      ])
    }
  }

  func secondsToRead(changes: Bool) throws -> Double {
    try medianSeconds(of: 3) {
      var reader = try self.feed.reader("benchmark")
      var found = 0
      while let batch = try reader.next() {
        for commit in batch.commits { found += changes ? try commit.changes()?.count ?? 0 : commit.changeset.count }
      }
      consume(found)
    }
  }

  func secondsToAdvance() throws -> Double {
    var reader = try feed.reader("benchmark")
    var positions: [SaltedServerVersion] = []
    while let batch = try reader.next() { positions += batch.commits.map(\.position) }
    let time = try medianSeconds(of: 1) {
      for position in positions { try reader.advance(to: position) }
    }
    return time / Double(positions.count)
  }
}
