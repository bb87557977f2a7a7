import ChangesetOT
import CommitFeed
import Foundation
import TestKit
import Testing

@testable import RecordStore

@Suite("budgets of feed cursors") struct FeedBudgetTests {
  private static let long = String(repeating: "x", count: 1_000)

  @Test("history is kept for a cursor within its budget, and trimmed behind it")
  func holds() throws {
    let fixture = try FeedFixture()
    var reader = try fixture.feed.reader("r")
    for key in Int64(1)...3 { try fixture.history.write(key, owner: "ann") }
    try fixture.trim()
    #expect(try fixture.base == .zero)
    try reader.advance(to: try #require(try reader.next(byteLimit: 1)).end)
    try fixture.trim()
    #expect(try fixture.base == ServerVersion(1))
    #expect(try reader.next()?.commits.map(\.version.rawValue) == [2, 3])
  }

  @Test("a cursor beyond its bytes is told, holds nothing, and goes on from the present state")
  func bytes() throws {
    let fixture = try FeedFixture()
    var reader = try fixture.feed.reader("r", budget: FeedBudget(bytes: 1_500))
    try fixture.history.write(1, owner: Self.long)
    #expect(try fixture.history.feedCursor("r")?.lag.gap == nil)
    try fixture.history.write(2, owner: Self.long)
    let newest = try fixture.history.state().current
    let gap = FeedGap(cursor: "r", position: .zero, newest: newest, reason: .bytes)
    #expect(throws: FeedError.fellBehind(gap)) { try reader.next() }
    try fixture.trim()
    #expect(try fixture.base == newest.version, "it holds nothing")
    var trimmed = gap
    trimmed.reason = .trimmed
    #expect(throws: FeedError.fellBehind(trimmed)) { try reader.next() }
    let present = try fixture.feed.present()
    #expect(present.contents.count(of: "Task") == 2)
    try reader.advance(to: present.position)
    try fixture.history.write(3, owner: "ann")
    try fixture.trim()
    #expect(try reader.next()?.commits.map(\.version.rawValue) == [3])
  }

  @Test("what was replaced counts, too, and only what lies after the cursor")
  func replacedBytes() throws {
    let fixture = try FeedFixture()
    for key in Int64(1)...2 { try fixture.history.write(key, owner: Self.long) }
    var reader = try fixture.feed.reader("r", budget: FeedBudget(bytes: 1_500))
    try fixture.history.write(1, owner: "")
    let bytes = try #require(try fixture.history.feedCursor("r")?.lag.bytes)
    #expect((1_000..<1_300).contains(bytes))
    try reader.advance(to: fixture.feed.present().position)
    try fixture.history.write(2, owner: "")
    #expect(try fixture.history.feedCursor("r")?.lag.bytes == bytes)
    #expect(try reader.next()?.commits.count == 1)
    try fixture.history.write(2, owner: Self.long)
    #expect(try fixture.history.feedCursor("r")?.lag.gap?.reason == .bytes)
  }

  @Test("a cursor beyond its age is told, from the checks that saw the version")
  func age() throws {
    let fixture = try FeedFixture()
    var reader = try fixture.feed.reader("r", budget: FeedBudget(age: .seconds(3_600)))
    fixture.clock.pass(.seconds(86_400))
    try fixture.history.write(1, owner: "ann")
    try fixture.trim()
    #expect(try fixture.history.feedCursor("r")?.lag.age == .zero, "the version is new, however old the cursor is")
    fixture.clock.pass(.seconds(3_000))
    try fixture.history.write(2, owner: "ann")
    try fixture.trim()
    let lag = try #require(try fixture.history.feedCursor("r")?.lag)
    #expect(lag.age == .seconds(3_000))
    #expect(lag.versions == 2)
    #expect(lag.gap == nil)
    try reader.advance(to: try #require(try reader.next(byteLimit: 1)).end)
    fixture.clock.pass(.seconds(3_000))
    #expect(try fixture.history.feedCursor("r")?.lag.age == .seconds(3_000), "that of the version that is left")
    fixture.clock.pass(.seconds(601))
    #expect(try fixture.history.feedCursor("r")?.lag.gap?.reason == .age)
    try fixture.trim()
    #expect(try fixture.base == ServerVersion(2))
  }

  @Test("the slowest cursor within its budget decides; one that has fallen behind does not")
  func several() throws {
    let fixture = try FeedFixture()
    var fast = try fixture.feed.reader("fast")
    _ = try fixture.feed.reader("slow")
    _ = try fixture.feed.reader("tiny", budget: FeedBudget(bytes: 10))
    for key in Int64(1)...2 { try fixture.history.write(key, owner: "ann") }
    try fast.advance(to: try fixture.feed.present().position)
    try fixture.trim()
    #expect(try fixture.base == .zero)
    try fixture.feed.remove("slow")
    try fixture.trim()
    #expect(try fixture.base == ServerVersion(2))
    #expect(try fixture.feed.cursors().map { $0.lag.gap?.reason } == [nil, .trimmed])
  }

  @Test("times at which versions were the newest stay few, and go with the last cursor")
  func times() throws {
    let fixture = try FeedFixture()
    _ = try fixture.feed.reader("r", budget: FeedBudget(age: .seconds(640)))
    for key in Int64(1)...300 {
      try fixture.history.write(key, owner: "ann")
      fixture.clock.pass(.seconds(2))
      try fixture.trim()
    }
    let record = try #require(try fixture.history.file.store.latestSnapshot().rootRecord("feed cursors"))
    #expect(record.count < 64 * 10)
    try fixture.feed.remove("r")
    #expect(try fixture.history.file.store.latestSnapshot().rootRecord("feed cursors") == nil)
  }

  @Test("a new cursor begins where it is asked to, while that is kept")
  func starts() throws {
    let fixture = try FeedFixture(incarnation: 7)
    for key in Int64(1)...2 { try fixture.history.write(key, owner: "ann") }
    let first = SaltedServerVersion(version: ServerVersion(1), salt: 7)
    var newest = try fixture.feed.reader("newest")
    #expect(try newest.next() == nil)
    var after = try fixture.feed.reader("after", from: .after(first))
    let batch = try #require(try after.next())
    #expect(batch.commits.map(\.version.rawValue) == [2])
    #expect(try batch.commits[0].changes() == nil, "inverses are kept from the first cursor on")
    for name in ["newest", "after"] { try fixture.feed.remove(name) }
    try fixture.trim()
    #expect(throws: FeedError.self) { try fixture.feed.reader("late", from: .after(first)) }
    #expect(try fixture.feed.reader("oldest", from: .oldest).name == "oldest")
  }

  @Test("names and their number are bounded")
  func names() throws {
    let fixture = try FeedFixture()
    for name in ["", String(repeating: "n", count: FeedCursor.longestName + 1)] {
      #expect(throws: RecordStoreError(.invalidInput)) { try fixture.feed.reader(name) }
    }
    for number in 0..<FeedCursor.mostPerFile { _ = try fixture.feed.reader("\(number)") }
    #expect(throws: RecordStoreError(.invalidInput)) { try fixture.feed.reader("one more") }
    #expect(try fixture.feed.cursors().count == FeedCursor.mostPerFile)
  }

  @Test("a position from before a restoration is refused, whether the version exists again or not")
  func restored() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("feed-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let (path, backup) = (folder.appendingPathComponent("a.realm").path, folder.appendingPathComponent("b.realm").path)
    var random = SeededGenerator(seed: 1)
    let handled: SaltedServerVersion
    do {
      let history = try ServerHistory(try RealmFile.open(.file(path: path)), random: &random, incarnation: 7)
      _ = try CommitFeed(of: "/r", history).reader("r")
      try history.write(1, owner: "ann")
      try history.file.writeCopy(toPath: backup)
      try history.write(2, owner: "ann")
      handled = try CommitFeed(of: "/r", history).present().position
    }
    let restored = try ServerHistory(
      try RealmFile.open(.file(path: backup)), random: &random, incarnation: 8, isNew: false)
    let feed = CommitFeed(of: "/r", restored)
    var reader = try feed.reader("r")
    #expect(throws: FeedError.self) { try feed.check(handled) }
    #expect(throws: FeedError.self) { try reader.advance(to: handled) }
    try restored.write(3, owner: "ann")
    #expect(try restored.state().current.version == handled.version)
    #expect(throws: FeedError.unknownPosition(handled, newest: try restored.state().current)) {
      try feed.check(handled)
    }
    let commits = try #require(try reader.next()).commits
    #expect(commits.map(\.position.salt) == [7, 8])
    try feed.check(commits[0].position)
  }
}
