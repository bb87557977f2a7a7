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
    try verification.walk(root) { _, _ in }
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

  // Nodes that belong to no held version are garbage, also between two snapshots.
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
      // The commits of the loop add no readers and retire no other nodes; the reclaimer's runs delete the garbage.
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

  @Test("snapshots that come and go on several threads are whole while an old one is held and a writer commits")
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

  // A reader is delayed between reading the version and registering, while others commit; then its slot makes the next
  // commit announce less than was announced before.
  @Test("announcements never go back, so a reader that registered too late starts again")
  func announcements() throws {
    let folder = TemporaryFolder()
    let store = try store(folder)
    let counters = try Counters(store, rows: 300, padding: 32)
    let seen = try store.latestRoot(known: 0).version
    for _ in 0..<40 { try store.write { try counters.increment($0) } }
    // A reader of another process, which the registry of this one does not know.
    let other = SnapshotRegistry(lockFile: try LockFile(path: folder.file() + ".lock"))
    guard case .unconfirmed = other.register(seen) else {
      Issue.record("a first pin proves nothing")
      return
    }
    try store.write { try counters.increment($0) }
    #expect(try store.latestRoot(known: 0).freeable > seen)
    other.withdraw(seen)
  }

  @Test("a reader protects later versions only once it is confirmed, and reclaimed versions are refused")
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
    // Version 6 is between two readers, and from 9 on no node was deleted.
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

  @Test("other processes see the oldest version with a reader, whichever readers come and go")
  func publishing() throws {
    let folder = TemporaryFolder()
    let path = folder.file() + ".lock"
    let registry = SnapshotRegistry(lockFile: try LockFile(path: path))
    let other = SnapshotRegistry(lockFile: try LockFile(path: path))
    var random = SeededGenerator(seed: Seeds.seed ?? 1)
    var held: [UInt64] = []
    // Before the first reader, all versions count as needed.
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
