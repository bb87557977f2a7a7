import Foundation
import TestKit
import Testing

@testable import ObjectStore
@testable import RecordStore

@Suite("notifications")
struct NotificationTests {
  /// Applies a change set to what the collection held before, as a view that shows it would.
  static func applying<T>(
    _ change: (deletions: [Int], insertions: [Int], modifications: [Int]), to old: [T], new: [T]
  ) -> [T]? {
    guard change.deletions == change.deletions.sorted(), change.insertions == change.insertions.sorted(),
      change.modifications == change.modifications.sorted()
    else { return nil }
    var rows: [T?] = old
    // A modified element is looked up anew where it stands now.
    for position in change.modifications { rows[position] = nil }
    for position in change.deletions.reversed() { rows.remove(at: position) }
    for position in change.insertions { rows.insert(new[position], at: position) }
    guard rows.count == new.count else { return nil }
    return rows.enumerated().map { $1 ?? new[$0] }
  }

  @Test("change sets applied to what was there give what is there")
  func changeSets() throws {
    for seed in Seeds.some(20) {
      var edits = LiveEdits(seed: seed)
      let realm = try Realm(configuration: memoryConfiguration())
      try realm.write { for _ in 0..<12 { edits.edit(realm) } }
      var tokens: [NotificationToken] = []
      var checks = 0
      func watch<C: RealmCollection>(_ collection: C, _ describe: @escaping (C.Element) -> String) {
        var shown: [String] = []
        tokens.append(
          collection.observe { change in
            switch change {
            case .initial(let now): shown = now.map(describe) as [String]
            case .update(let now, let deletions, let insertions, let modifications):
              let new = now.isInvalidated ? [] : now.map(describe) as [String]
              let result = Self.applying((deletions, insertions, modifications), to: shown, new: new)
              #expect(result == new, "SEED=\(seed): \(shown) \(deletions) \(insertions) \(modifications)")
              shown = new
              checks += 1
            case .error: Issue.record("SEED=\(seed): an error")
            }
          })
      }
      let shape = { (person: Person) in
        "\(person.id) \(person.name) \(person.age) \(person.nickname ?? "-") \(person.score) \(Array(person.tags)) \(person.dogs.map { "\($0.name)\($0.weight)" } as [String])"
      }
      watch(realm.objects(Person.self), shape)
      watch(realm.objects(Person.self).sorted(byKeyPath: "name"), shape)
      watch(realm.objects(Person.self).filter("age > 2"), shape)
      watch(realm.objects(Dog.self).sorted(byKeyPath: "weight"), { "\($0.name) \($0.weight)" })
      if let person = realm.objects(Person.self).first {
        watch(person.tags, { $0 })
        watch(person.dogs, { "\($0.name) \($0.weight)" })
      }
      realm.refresh()
      for _ in 0..<25 {
        realm.beginWrite()
        for _ in 0..<Int.random(in: 1...4, using: &edits.random) { edits.edit(realm) }
        if edits.random.oneIn(6) { realm.cancelWrite() } else { try realm.commitWrite() }
        if edits.random.oneIn(2) { realm.refresh() }
      }
      realm.refresh()
      #expect(checks > 0)
    }
  }

  @Test(
    "objects tell which properties changed, with the values after and those before another thread, and when they are gone"
  )
  func objects() throws {
    let configuration = memoryConfiguration()
    let realm = try Realm(configuration: configuration)
    let ada = try realm.write { realm.create(Person.self, value: ["id": 1, "name": "Ada"]) }
    var heard: [String] = []
    let token = ada.observe { (change: ObjectChange<Person>) in
      switch change {
      case .change(let person, let properties):
        heard.append(
          "\(person.id) "
            + properties.map { "\($0.name): \($0.oldValue ?? "nil") → \($0.newValue ?? "nil")" }.joined(separator: ", ")
        )
      case .deleted: heard.append("deleted")
      case .error: heard.append("error")
      }
    }
    try realm.write { ada.name = "Eve" }
    realm.refresh()
    try realm.write {
      ada.age = 3; ada.nickname = "A"
    }
    realm.refresh()
    onThread {
      do {
        let realm = try Realm(configuration: configuration)
        try realm.write { realm.object(ofType: Person.self, forPrimaryKey: 1)?.name = "Kim" }
      } catch { Issue.record(error) }
    }
    realm.refresh()
    try realm.write { realm.delete(ada) }
    realm.refresh()
    #expect(heard == ["1 name: nil → Eve", "1 age: nil → 3, nickname: nil → A", "1 name: Eve → Kim", "deleted"])
    token.invalidate()
  }

  @Test("a commit without notifying is skipped, and positions stay right afterwards")
  func skipping() throws {
    let realm = try Realm(configuration: memoryConfiguration())
    var heard: [String] = []
    let token = realm.objects(Person.self).observe { change in
      if case .update(let now, let deletions, let insertions, _) = change {
        heard.append("\(now.count) \(deletions) \(insertions)")
      }
    }
    realm.refresh()
    try realm.write(withoutNotifying: [token]) { _ = realm.create(Person.self, value: ["id": 1]) }
    realm.refresh()
    #expect(heard.isEmpty)
    try realm.write { _ = realm.create(Person.self, value: ["id": 2]) }
    realm.refresh()
    #expect(heard == ["2 [] [1]"])
    #expect(token.invalidate())
    #expect(!token.invalidate())
    try realm.write { realm.deleteAll() }
    realm.refresh()
    #expect(heard.count == 1)
  }

  @Test("key paths narrow what makes an element modified; changes behind links count without them")
  func keyPaths() throws {
    let realm = try Realm(configuration: memoryConfiguration())
    let ada = try realm.write { realm.create(Person.self, value: ["id": 1, "dogs": [["name": "Rex"]]]) }
    var named = 0, any = 0
    let tokens = [
      realm.objects(Person.self).observe(keyPaths: ["name"]) { if case .update = $0 { named += 1 } },
      realm.objects(Person.self).observe { if case .update = $0 { any += 1 } },
    ]
    realm.refresh()
    try realm.write { ada.age = 4 }
    realm.refresh()
    #expect(named == 0)
    #expect(any == 1)
    try realm.write { ada.dogs[0].weight = 3 }
    realm.refresh()
    #expect(named == 0)
    #expect(any == 2)
    try realm.write { ada.name = "Eve" }
    realm.refresh()
    #expect(named == 1)
    #expect(any == 3)
    withExtendedLifetime(tokens) {}
  }

  @Test("a transaction begins when observers have heard of everything before it")
  func beforeWriting() throws {
    let configuration = memoryConfiguration()
    let realm = try Realm(configuration: configuration)
    var heard: [String] = []
    let token = realm.objects(Person.self).observe { change in
      switch change {
      case .initial(let people): heard.append("initial \(people.count)")
      case .update(let people, _, let insertions, _): heard.append("\(people.count) \(insertions)")
      case .error(let error): heard.append("\(error)")
      }
    }
    try realm.write {
      #expect(heard == ["initial 0"])
      realm.create(Person.self, value: ["id": 1])
    }
    try realm.write {
      #expect(heard == ["initial 0", "1 [0]"])
      realm.create(Person.self, value: ["id": 2])
    }
    onThread {
      do {
        let other = try Realm(configuration: configuration)
        try other.write { _ = other.create(Person.self, value: ["id": 3]) }
      } catch { Issue.record(error) }
    }
    try realm.write { #expect(heard == ["initial 0", "1 [0]", "2 [1]", "3 [2]"]) }
    token.invalidate()
  }

  @Test("a handler that hears before a transaction may write, and may wait for others who write")
  func handlersMayWrite() throws {
    let configuration = memoryConfiguration()
    let realm = try Realm(configuration: configuration)
    let first = try realm.write { realm.create(Person.self, value: ["id": 1]) }
    @Sendable func elsewhere(_ id: Int) {
      do {
        let other = try Realm(configuration: configuration)
        try other.write { _ = other.create(Person.self, value: ["id": id]) }
      } catch { Issue.record(error) }
    }
    var (updates, notified) = (0, 0)
    let token = realm.objects(Person.self).observe { change in
      guard case .update(let people, _, _, _) = change, people.count == 2 else { return }
      updates += 1
      do { try realm.write { first.age += 1 } } catch { Issue.record(error) }
      onThread { elsewhere(3) }
    }
    let other = realm.observe { _, realm in
      guard notified == 0 else { return }
      notified += 1
      onThread { elsewhere(4) }
    }
    _ = realm.refresh()
    notified = 0
    onThread { elsewhere(2) }
    try realm.write { first.age += 10 }
    #expect(first.age == 11)
    #expect(updates == 1)
    #expect(notified == 1)
    #expect(Set(realm.objects(Person.self).map(\.id)) == [1, 2, 3, 4])
    token.invalidate()
    other.invalidate()
  }

  @Test("a realm's own handlers run within its commit, and after a refresh for commits of others")
  func realmLevel() throws {
    let configuration = memoryConfiguration()
    let realm = try Realm(configuration: configuration)
    var heard = 0
    let token = realm.observe { notification, _ in if notification == .didChange { heard += 1 } }
    try realm.write { _ = realm.create(Person.self, value: ["id": 1]) }
    #expect(heard == 1)
    onThread {
      do { try Realm(configuration: configuration).write {} } catch { Issue.record(error) }
      do {
        let other = try Realm(configuration: configuration)
        try other.write { _ = other.create(Person.self, value: ["id": 2]) }
      } catch { Issue.record(error) }
    }
    #expect(realm.objects(Person.self).count == 1)
    #expect(realm.refresh())
    #expect(heard == 2)
    #expect(realm.objects(Person.self).count == 2)
    token.invalidate()
  }

  @Test("observers on a queue hear there")
  func queues() async throws {
    let configuration = memoryConfiguration()
    let realm = try Realm(configuration: configuration)
    try realm.write { _ = realm.create(Person.self, value: ["id": 1]) }
    let queue = DispatchQueue(label: "observer")
    let (stream, continuation) = AsyncStream<String>.makeStream()
    let token = realm.objects(Person.self).observe(on: queue) { change in
      dispatchPrecondition(condition: .onQueue(queue))
      switch change {
      case .initial(let now): continuation.yield("initial \(now.count)")
      case .update(let now, _, let insertions, _): continuation.yield("update \(now.count) \(insertions)")
      case .error: break
      }
    }
    var iterator = stream.makeAsyncIterator()
    #expect(await iterator.next() == "initial 1")
    let file = realm.file
    try file.write { session in
      let layout = try #require(session.writer.catalog["Person"])
      _ = try session.writer.create(.int(2), layout)
    }
    #expect(await iterator.next() == "update 2 [1]")
    token.invalidate()
  }
}

/// Runs work on a thread of its own and waits for it.
func onThread(_ work: @escaping @Sendable () -> Void) {
  let done = DispatchSemaphore(value: 0)
  let thread = Thread {
    work()
    done.signal()
  }
  thread.start()
  done.wait()
}
