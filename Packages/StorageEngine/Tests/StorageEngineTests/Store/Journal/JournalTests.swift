import Foundation
import StorageEngine
import Synchronization
import TestKit
import Testing

/// A journal in memory, which refuses what does not follow, and what it is told to.
private final class MemoryJournal: CommitJournal {
  struct Refused: Error {}
  enum Fault { case refuses, forgetsToAnswer }

  private struct State {
    var commits: [JournaledCommit] = []
    var fault: Fault?
  }
  private let state = Mutex(State())

  func append(_ commit: JournaledCommit) throws -> [UInt8] {
    try state.withLock { state in
      guard commit.version == UInt64(state.commits.count) + 2 else { throw Refused() }
      if case .refuses = state.fault { throw Refused() }
      state.commits.append(commit)
      if case .forgetsToAnswer = state.fault { throw Refused() }
      return Self.mark(commit.version)
    }
  }

  static func mark(_ version: UInt64) -> [UInt8] { Array("mark \(version)".utf8) }
  var latest: UInt64 { state.withLock { UInt64($0.commits.count) + 1 } }
  func fail(_ fault: Fault?) { state.withLock { $0.fault = fault } }
  func commits(after version: UInt64) -> [JournaledCommit] {
    state.withLock { Array($0.commits.dropFirst(Int(version) - 1)) }
  }
}

@Suite("journals of stores") struct JournalTests {
  private static func open(_ path: String, _ journal: MemoryJournal) throws -> Store {
    var configuration = StoreConfiguration()
    configuration.isDurable = false
    configuration.journal = journal
    return try Store.open(.file(path: path), configuration: configuration)
  }

  /// Brings a file up to the journal, in batches.
  private static func catchUp(_ path: String, _ journal: MemoryJournal, batch: Int) throws {
    let replica = try StoreReplica(path: path)
    while replica.version < journal.latest {
      let commits = Array(journal.commits(after: replica.version).prefix(batch))
      let last = try #require(commits.last)
      try replica.apply(commits, mark: MemoryJournal.mark(last.version))
    }
    #expect(replica.mark == (replica.version == 1 ? nil : MemoryJournal.mark(replica.version)))
  }

  private static func changeLog(_ transaction: WriteTransaction, using random: inout SeededGenerator) throws {
    let log = try transaction.log(random.oneIn(4) ? "other" : "history")
    switch Int.random(in: 0..<8, using: &random) {
    case 0...4:
      _ = try log.append(Array(repeating: UInt8.random(in: 0...9, using: &random), count: random.oneIn(5) ? 9_000 : 40))
    case 5: try log.delete(through: Int64.random(in: 0...40, using: &random))
    case 6: try log.put([1, 2, 3], at: Int64.random(in: -4...40, using: &random))
    default: if random.oneIn(4) { try log.deleteAll() }
    }
  }

  /// One random transaction.
  ///
  /// - Returns: whether the file is behind the journal.
  private static func step(
    _ store: Store, _ model: inout Model, _ journal: MemoryJournal, _ comment: Comment,
    using random: inout SeededGenerator
  ) throws -> Bool {
    var changed = model
    let transaction = try store.beginWrite()
    for _ in 0..<Int.random(in: 1...20, using: &random) { try changed.change(transaction, using: &random) }
    if random.oneIn(2) { try changeLog(transaction, using: &random) }
    switch Int.random(in: 0..<12, using: &random) {
    case 0: transaction.rollback()
    case 1:
      journal.fail(.refuses)
      // A transaction that changed nothing asks nobody.
      _ = try? transaction.commit()
      journal.fail(nil)
    case 2:
      // Recorded, but not known to be: the file is behind, and writes are refused until it was brought up.
      let before = journal.latest
      journal.fail(.forgetsToAnswer)
      _ = try? transaction.commit()
      journal.fail(nil)
      guard journal.latest > before else { return false }
      #expect(throws: MemoryJournal.Refused.self, comment) { try store.write { try $0.setRootRecord("x", [1]) } }
      model = changed
      return true
    default:
      try transaction.commit()
      model = changed
    }
    return false
  }

  @Test("a file that is made from the journal equals the store, and goes on in its place", arguments: Seeds.some(6))
  func replicas(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let folder = TemporaryFolder()
    let journal = MemoryJournal()
    var paths = (folder.file("a.realm"), folder.file("b.realm"))
    var store: Store? = try Self.open(paths.0, journal)
    var model = Model()
    for round in 0..<60 {
      let comment: Comment = "SEED=\(seed) round \(round)"
      let before = journal.latest
      let isBehind = try Self.step(try #require(store), &model, journal, comment, using: &random)
      #expect(journal.latest <= before + 1, comment)
      if isBehind { store = nil }
      if random.oneIn(9) { try store?.compact() }
      if store == nil || random.oneIn(8) {
        let old = try store?.contents()
        store = nil
        // The other file, at any age or new, becomes the store.
        if random.oneIn(2) { swap(&paths.0, &paths.1) }
        if random.oneIn(5) {
          for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: paths.0 + suffix) }
        }
        try Self.catchUp(paths.0, journal, batch: Int.random(in: 1...9, using: &random))
        let next = try Self.open(paths.0, journal)
        if let old { #expect(try next.contents() == old, comment) }
        try next.verify()
        store = next
      }
      if let store { try model.expectEqual(to: try store.latestSnapshot(), comment) }
    }
  }

  @Test("a copy of the store goes on from its version as the store does")
  func copies() throws {
    let folder = TemporaryFolder()
    let journal = MemoryJournal()
    var store: Store? = try Self.open(folder.file("a.realm"), journal)
    let counters = try Counters(try #require(store), rows: 300, padding: 40)
    for _ in 0..<100 { try store?.write { try counters.increment($0) } }
    try store?.writeCopy(toPath: folder.file("copy.realm"))
    for _ in 0..<200 { try store?.write { try counters.increment($0) } }
    let expected = try store?.contents()
    store = nil
    try Self.catchUp(folder.file("copy.realm"), journal, batch: 7)
    store = try Self.open(folder.file("copy.realm"), journal)
    #expect(try store?.contents() == expected)
    try store?.write { try counters.increment($0) }
    try store?.verify()
  }

  @Test("a log that was emptied in the commit that began it is written to in a file made from the journal")
  func emptyLog() throws {
    let folder = TemporaryFolder()
    let journal = MemoryJournal()
    try Self.open(folder.file("a.realm"), journal).write { transaction in
      let log = try transaction.log("history")
      _ = try log.append([1])
      try log.deleteAll()
    }
    try Self.catchUp(folder.file("b.realm"), journal, batch: 1)
    let store = try Self.open(folder.file("b.realm"), journal)
    try store.write { _ = try $0.log("history").append([2]) }
    try store.verify()
    #expect(try store.log("history").entries(in: .min ... .max).map(\.content) == [[2]])
  }

  @Test("commits that do not follow, or are no patches, change nothing", arguments: Seeds.some(40))
  func damage(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let folder = TemporaryFolder()
    let journal = MemoryJournal()
    do {
      let store = try Self.open(folder.file("a.realm"), journal)
      let counters = try Counters(store, rows: 20, padding: 200)
      for _ in 0..<3 { try store.write { try counters.increment($0) } }
    }
    let replica = try StoreReplica(path: folder.file("b.realm"))
    let commits = journal.commits(after: 1)
    #expect(throws: StorageError.self) { try replica.apply(Array(commits.dropFirst()), mark: []) }
    var damaged = commits
    let place = Int.random(in: 0..<damaged.count, using: &random)
    damaged[place].changes = Damage.random(of: damaged[place].changes, using: &random)
    // Damage may leave a patch that fits; it never stops the process, and the version tells what is there.
    do {
      try replica.apply(damaged, mark: [7])
      #expect(replica.version == commits.last?.version)
    } catch is StorageError {
      #expect(replica.version == 1)
      #expect(replica.mark == nil)
    }
  }

  @Test("a small commit takes few bytes of the journal")
  func size() throws {
    let folder = TemporaryFolder()
    let journal = MemoryJournal()
    let store = try Self.open(folder.file("a.realm"), journal)
    let counters = try Counters(store, rows: 1)
    for _ in 0..<50 { try store.write { try counters.increment($0) } }
    let sizes = journal.commits(after: journal.latest - 20).map(\.changes.count)
    #expect(sizes.max() ?? .max <= 6_000)
  }
}
