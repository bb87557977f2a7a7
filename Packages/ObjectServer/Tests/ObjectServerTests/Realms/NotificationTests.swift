@testable import ObjectServer
import SyncProtocol
import Testing
import Transport

@Suite("notifications of others' changesets")
struct NotificationTests {
  private let stage: Stage
  private let authors: [WireClient]
  private let reader: WireClient
  private let many = UInt64(NotificationBatcher.largeCommit)

  init() throws {
    let stage = try Stage()
    let ann = try stage.user("ann")
    authors = try (0..<2).map { try stage.session(ann.token, "/~/todo", from: "author-\($0)").0 }
    reader = try stage.session(ann.token, "/~/todo", from: "reader").0
    self.stage = stage
  }

  /// The number of changesets in each received message.
  private func heard(_ client: WireClient, after time: Duration = .milliseconds(10)) -> [Int] {
    stage.run(time)
    return client.take().compactMap(\.download).map(\.entries.count)
  }

  @Test("large commits that follow each other are notified together at the end of the interval")
  func gathering() {
    authors[0].upload(1, version: 1 + many, bytes: [1], count: many)
    #expect(heard(reader) == [16], "the first large commit is notified at once")
    authors[1].upload(1, version: 1 + many, bytes: [2], count: many)
    #expect(heard(reader) == [])
    #expect(heard(authors[1]) == [16, 0], "an author is acknowledged at once")
    authors[1].upload(1, version: 1 + 2 * many, bytes: [3], count: many)
    #expect(heard(reader, after: .milliseconds(30)) == [32])
    #expect(heard(authors[0]) == [0, 32])
    #expect(heard(authors[1]) == [0])
    stage.run(.seconds(1))
    #expect(reader.take().isEmpty, "no changeset is sent twice")
    #expect(authors.allSatisfy { $0.take().isEmpty }, "no changeset is sent twice")
    authors[0].upload(1, version: 1 + 2 * many, bytes: [4], count: many)
    #expect(heard(reader) == [16], "the interval is over")
  }

  @Test("a session that asks gets everything, and a small commit is notified at once with everything unseen")
  func exceptions() {
    authors[0].upload(1, version: 1 + many, bytes: [1], count: many)
    #expect(heard(reader) == [16])
    authors[1].upload(1, version: 1 + many, bytes: [2], count: many)
    #expect(heard(reader) == [])
    reader.mark(1, 1)
    #expect(heard(reader) == [16])
    authors[1].upload(1, version: 1 + 2 * many, bytes: [3], count: many)
    authors[1].upload(1, version: 2 + 2 * many, bytes: [4])
    #expect(heard(reader) == [17])
  }

  @Test("a session that joins during the interval gets everything with its first download")
  func newcomers() throws {
    authors[0].upload(1, version: 1 + many, bytes: [1], count: many)
    authors[0].upload(1, version: 1 + 2 * many, bytes: [1], count: many)
    let ann = try stage.user("ann")
    let (late, _) = try stage.session(ann.token, "/~/todo", from: "late")
    stage.run(.seconds(1))
    #expect(late.take().compactMap(\.download).isEmpty)
    #expect(reader.take().compactMap(\.download).reduce(0) { $0 + $1.entries.count } == 32)
  }

  @Test("when a job fails of whose uploads some may be committed, all sessions look, and authors come back")
  func uncertain() throws {
    let histories = ObservedHistories(PlainHistories())
    let stage = try Stage(histories: histories)
    let ann = try stage.user("ann")
    let author = try stage.session(ann.token, "/~/todo", from: "author").0
    let reader = try stage.session(ann.token, "/~/todo", from: "reader").0
    histories.failBehindCommit()
    author.upload(1, version: 2, bytes: [1])
    stage.run(.seconds(1))
    #expect(reader.take().compactMap(\.download).map(\.entries.count) == [1])
    #expect(author.take().compactMap(\.failureCode).isEmpty == false)
  }
}
