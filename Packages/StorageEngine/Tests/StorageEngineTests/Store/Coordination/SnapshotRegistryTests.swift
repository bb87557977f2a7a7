import Foundation
import Synchronization
import TestKit
import Testing

@testable import StorageEngine

@Suite struct SnapshotRegistryTests {
  private func store(_ folder: TemporaryFolder) throws -> Store {
    var configuration = StoreConfiguration()
    configuration.isDurable = false
    return try Store.open(.file(path: folder.file()), configuration: configuration)
  }

  /// The nodes of a version.
  private func nodes(_ root: RootPage, of store: Store) throws -> Set<Int64> {
    var verification = Verification(loader: store.loader)
    try verification.walk(root)
    return verification.seen
  }

  private func nodesInFile(_ store: Store) throws -> Set<Int64> {
    try store.database.reading { connection in
      let select = try connection.statement("SELECT id FROM node")
      defer { select.reset() }
      var ids: Set<Int64> = []
      while try select.step() { ids.insert(select.int(at: 0)) }
      return ids
    }
  }

  // What two snapshots have between them is garbage for both, and waited for the older one to end.
  @Test(
    "the file holds what the held snapshots and the last commits have, and nothing else, whichever are held",
    arguments: Seeds.some(4))
  func law(seed: UInt64) throws {
    let folder = TemporaryFolder()
    let store = try store(folder)
    var random = SeededGenerator(seed: seed)
    var model = Model()
    var held: [(snapshot: Snapshot, model: Model)] = []
    for round in 0..<220 {
      let comment: Comment = "SEED=\(seed) round \(round)"
      var changed = model
      try store.write { transaction in
        for _ in 0..<Int.random(in: 1...8, using: &random) { try changed.change(transaction, using: &random) }
      }
      model = changed
      if held.count < 5, random.oneIn(9) { held.append((try store.latestSnapshot(), model)) }
      if random.oneIn(20), let at = held.indices.randomElement(using: &random) { held.remove(at: at) }
      if random.oneIn(40) { try store.compact() }
      guard random.oneIn(25) else { continue }
      store.dropCaches()
      for (snapshot, model) in held { try model.expectEqual(to: snapshot, comment) }
      // Nobody pins or retires anything new; what waited for the next runs goes.
      for _ in 0..<3 * Int(NodeReclaimer.interval) {
        try store.write { try $0.setRootRecord("tick", [UInt8(truncatingIfNeeded: round)]) }
      }
      let latest = try store.latestSnapshot()
      var needed = try nodes(latest.root, of: store)
      let pending = Set((held.map(\.snapshot) + [latest]).flatMap { $0.root.pending.map(\.id) })
      for (snapshot, _) in held { try needed.formUnion(nodes(snapshot.root, of: store)) }
      let found = try nodesInFile(store)
      let (missing, left) = (needed.subtracting(found).subtracting(pending), found.subtracting(needed))
      #expect(missing.isEmpty, "\(comment): missing \(missing)")
      #expect(left.isEmpty, "\(comment): left over \(left), held \(held.map(\.snapshot.version))")
    }
    held = []
    try store.verify()
  }

  @Test("snapshots that come and go on several threads are whole while an old one stands and a writer commits")
  func threads() throws {
    let folder = TemporaryFolder()
    let store = try store(folder)
    let counters = try Counters(store, rows: 300, padding: 8)
    let old = try store.latestSnapshot()
    let isDone = Atomic<Bool>(false)
    let failures = Mutex<[String]>([])
    let looked = Atomic<Int>(0)
    onThreads(4) { number in
      do {
        if number == 0 {
          defer { isDone.store(true, ordering: .relaxed) }
          for _ in 0..<(Seeds.runs ?? 2) * 50 { try store.write { try counters.increment($0) } }
        }
        while number > 0, !isDone.load(ordering: .relaxed) {
          let snapshot = try store.latestSnapshot()
          for _ in 0..<number {
            store.dropCaches()
            let value = try counters.value(snapshot)
            looked.add(1, ordering: .relaxed)
            if value != Int64(snapshot.version.rawValue) - 2 {
              failures.withLock { $0.append("\(snapshot.version): \(value)") }
            }
          }
        }
      } catch {
        failures.withLock { $0.append("\(error)") }
      }
    }
    #expect(failures.withLock { $0 } == [])
    #expect(try counters.value(old) == 0)
    #expect(looked.load(ordering: .relaxed) > 0)
    try store.verify()
  }

  // A reader that stands still between reading the version and pinning it, while others commit; then its pin makes
  // the next commit announce less than was announced before.
  @Test("what was announced stays announced, so a reader that was slow to pin starts again")
  func announcements() throws {
    let folder = TemporaryFolder()
    let store = try store(folder)
    let counters = try Counters(store, rows: 300, padding: 32)
    let seen = try store.latestRoot(known: 0).version
    for _ in 0..<40 { try store.write { try counters.increment($0) } }
    // As a reader of another process, whose pin the registry of this one does not judge.
    let other = SnapshotRegistry(lockFile: try LockFile(path: folder.file() + ".lock"))
    guard case .unconfirmed = other.register(seen) else {
      Issue.record("a first pin proves nothing")
      return
    }
    try store.write { try counters.increment($0) }
    #expect(try store.latestRoot(known: 0).freeable > seen)
    other.withdraw(seen)
  }

  @Test("a pin proves others right only once it is proved itself, and one that came too late is refused")
  func attempts() throws {
    let registry = SnapshotRegistry(lockFile: nil)
    #expect(registry.register(5) == .unconfirmed)
    #expect(registry.register(7) == .unconfirmed)
    registry.confirm(5, end: 50)
    #expect(registry.register(7) == .protected)
    #expect(registry.register(4) == .unconfirmed)
    registry.withdraw(4)
    registry.withdraw(7)
    registry.confirm(7, end: 70)
    // Version 6 is between pins, and from 9 on nothing was deleted.
    let pinned = registry.advanceHorizon(to: 9)
    #expect(registry.register(6) == .reclaimed)
    #expect(registry.register(8) == .reclaimed)
    #expect(registry.register(9) == .protected)
    #expect(pinned.needed([40, 60, 80], retiredBy: 5) == [])
    #expect(pinned.needed([40, 60, 80], retiredBy: 6) == [40])
    #expect(pinned.needed([40, 60, 80], retiredBy: 7) == [40])
    #expect(pinned.needed([40, 60, 80], retiredBy: 8) == [40, 60])
    #expect(pinned.needed([40, 60, 80], retiredBy: 10) == [40, 60, 80])
    #expect(registry.oldestHere == 5)
    registry.release(7)
    registry.release(5)
    #expect(registry.oldestHere == 9)
  }

  @Test("other processes see the oldest pin, whichever comes and goes")
  func publishing() throws {
    let folder = TemporaryFolder()
    let path = folder.file() + ".lock"
    let registry = SnapshotRegistry(lockFile: try LockFile(path: path))
    let other = SnapshotRegistry(lockFile: try LockFile(path: path))
    var random = SeededGenerator(seed: Seeds.seed ?? 1)
    var held: [UInt64] = []
    // Before the first pin others see all versions pinned.
    #expect(try other.oldestElsewhere() == 1)
    registry.retain(1, end: 10)
    registry.release(1)
    for _ in 0..<300 {
      if held.count < 6, random.oneIn(2) {
        held.append(UInt64.random(in: 1...9, using: &random))
        registry.retain(held[held.count - 1], end: 10)
      } else if let place = held.indices.randomElement(using: &random) {
        registry.release(held.remove(at: place))
      }
      #expect(try other.oldestElsewhere() == held.min())
      #expect(registry.oldestHere == held.min())
    }
  }
}
