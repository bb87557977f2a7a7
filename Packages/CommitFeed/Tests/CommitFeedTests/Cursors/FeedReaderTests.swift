import ChangesetOT
import CommitFeed
import DataModel
import QueryLanguage
import SubscriptionMatching
import TestKit
import Testing

@testable import RecordStore

/// A server's file with a feed, and a clock that the test sets.
struct FeedFixture {
  let clock = TestClock()
  let history: ServerHistory
  let feed: CommitFeed

  init(incarnation: Int64? = nil) throws {
    var random = SeededGenerator(seed: 1)
    let clock = clock
    history = try ServerHistory(try memoryFile(clock: { clock.now }), random: &random, incarnation: incarnation)
    feed = CommitFeed(of: "/ann/todo", history)
  }

  func trim() throws { try history.trim(notSeenSince: OriginTimestamp(0), grace: OriginTimestamp(0)) }

  var base: ServerVersion {
    get throws { try history.state().base }
  }
}

@Suite("feed readers") struct FeedReaderTests {
  @Test("a commit says where it comes from, and a deletion shows the values before")
  func commit() throws {
    let fixture = try FeedFixture(incarnation: 7)
    var reader = try fixture.feed.reader("r", from: .oldest)
    try fixture.history.write(1, owner: "ann")
    try fixture.history.file.edit { _ = try $0.erase(Tasks.task(1)) }
    let batch = try #require(try reader.next())
    let erasure = try #require(batch.commits.last)
    #expect(batch.commits.map(\.version.rawValue) == [1, 2])
    #expect(batch.reachedEnd)
    #expect(erasure.realm == "/ann/todo")
    #expect(erasure.position == SaltedServerVersion(version: ServerVersion(2), salt: 7))
    #expect(erasure.previous == ServerVersion(1))
    #expect(erasure.author == .server)
    #expect(erasure.timestamp == fixture.clock.now)
    #expect(erasure.epoch == .first)
    let change = try #require(try erasure.changes()?.first)
    #expect(change.before == [.int(1), .string("ann"), .bool(false), .null, .null])
    #expect(change.after == nil)
    #expect(try erasure.fieldsBefore(Tasks.task(1))?["tags"] == .list([]))
    #expect(try erasure.fieldsAfter(Tasks.task(1)) == nil)
    #expect(batch.contents().count(of: "Task") == 0)
  }

  @Test("changes are those that a subscription matcher takes")
  func matching() throws {
    let fixture = try FeedFixture()
    var reader = try fixture.feed.reader("r")
    try fixture.history.write(1, owner: "ann")
    try fixture.history.write(1, owner: "bob")
    let batch = try #require(try reader.next())
    var matcher = SubscriptionMatcher<String>(schema: QuerySchema(batch.schema), seed: 1)
    try matcher.add(ParsedQuery(parsing: "owner == 'ann'"), className: "Task", id: "ann")
    let matches = try batch.commits.map { try matcher.match(try $0.changes() ?? []).matches }
    #expect(matches.map { $0.map(\.entered) } == [[[0]], [[]]])
    #expect(matches.map { $0.map(\.left) } == [[[]], [[0]]])
  }

  @Test("what was delivered and not passed by the cursor is delivered again, to the next reader and after a rewind")
  func atLeastOnce() throws {
    let fixture = try FeedFixture()
    var reader = try fixture.feed.reader("r")
    for key in Int64(1)...3 { try fixture.history.write(key, owner: "ann") }
    let first = try #require(try reader.next(byteLimit: 1))
    #expect(first.commits.map(\.version.rawValue) == [1])
    #expect(try reader.next(byteLimit: 1)?.commits.map(\.version.rawValue) == [2])
    try reader.advance(to: first.end)
    reader.rewind()
    #expect(try reader.next(byteLimit: 1)?.commits.map(\.version.rawValue) == [2])
    var next = try fixture.feed.reader("r", from: .oldest)
    #expect(try next.next()?.commits.map(\.version.rawValue) == [2, 3])
    #expect(try next.next() == nil)
  }

  @Test("a cursor never goes back")
  func monotonic() throws {
    let fixture = try FeedFixture()
    var reader = try fixture.feed.reader("r")
    for key in Int64(1)...2 { try fixture.history.write(key, owner: "ann") }
    let commits = try #require(try reader.next()).commits
    try reader.advance(to: commits[1].position)
    try reader.advance(to: commits[0].position)
    #expect(try fixture.history.feedCursor("r")?.cursor.position == ServerVersion(2))
  }

  @Test("what a server undoes in one client's file is not delivered, and is passed")
  func privateEntries() throws {
    var network = try FeedNetwork(seed: 1, clients: 1)
    try network.begin()
    try network.download(0)
    var reader = try CommitFeed(of: "/r", network.server).reader("r")
    let item = ObjectReference(className: "Item", key: .int(1))
    try network.write(0, [.update(Update(target: Target(object: item, field: "n"), payload: .int(9)))])
    try network.upload(0)
    #expect(
      try network.server.state().current.version > ServerVersion(2), "the upload and what undoes it have versions")
    let batch = try #require(try reader.next())
    #expect(batch.commits.isEmpty)
    try reader.advance(to: batch.end)
    #expect(try network.server.feedCursor("r")?.lag == FeedLag())
  }

  @Test("the erasure of a property makes earlier states unknown, and leaves the instructions")
  func erasedProperty() throws {
    let fixture = try FeedFixture()
    var reader = try fixture.feed.reader("r")
    try fixture.history.write(1, owner: "ann")
    try fixture.history.file.commit([.eraseColumn(EraseColumn(table: "Task", field: "done"))])
    try fixture.history.write(2, owner: "bob")
    let commits = try #require(try reader.next()).commits
    #expect(try commits.map { try $0.changes() == nil } == [true, true, false])
    #expect(try commits.map { try $0.instructions().isEmpty } == [false, false, false])
    #expect(throws: FeedPastError(known: ServerVersion(2))) { try commits[0].fieldsAfter(Tasks.task(1)) }
  }

  @Test("values end with an object's life: a later one of the same key tells nothing about them", arguments: [1, .max])
  func lives(byteLimit: Int) throws {
    let fixture = try FeedFixture()
    let file = fixture.history.file
    var reader = try fixture.feed.reader("r")
    try fixture.history.write(1, owner: "ann")
    try file.edit { _ = try $0.erase(Tasks.task(1)) }
    try file.commit([.addColumn(AddColumn(table: "Task", field: "count", type: .int))])
    for count in Int64(7)...8 {
      try file.edit { editor in
        try editor.create(Tasks.task(1))
        try editor.set(["count": .value(.int(count))], of: Tasks.task(1))
      }
    }
    var counts: [[Value?]] = []
    while let batch = try reader.next(byteLimit: byteLimit) {
      for change in try batch.commits.flatMap({ try $0.changes() ?? [] }) {
        counts.append([change.before?.last, change.after?.last])
      }
    }
    #expect(counts == [[nil, .int(0)], [.int(0), nil], [nil, .int(7)], [.int(7), .int(8)]])
  }

  @Test("a batch is bounded by what its commits replaced, too")
  func boundedInverses() throws {
    let fixture = try FeedFixture()
    let long = String(repeating: "x", count: 1_000)
    for key in Int64(1)...3 { try fixture.history.write(key, owner: long) }
    var reader = try fixture.feed.reader("r")
    for key in Int64(1)...3 { try fixture.history.write(key, owner: "") }
    #expect(try reader.next(byteLimit: 1_500)?.commits.map(\.version.rawValue) == [4, 5])
    #expect(try reader.next(byteLimit: 1_500)?.commits.map(\.version.rawValue) == [6])
  }

  @Test("a reader whose cursor is removed is told")
  func removed() throws {
    let fixture = try FeedFixture()
    var reader = try fixture.feed.reader("r")
    #expect(try fixture.feed.remove("r"))
    #expect(try !fixture.feed.remove("r"))
    #expect(throws: FeedError.unknownCursor("r")) { try reader.next() }
    #expect(throws: FeedError.unknownCursor("r")) { try reader.advance(to: .zero) }
  }
}
