import Foundation
import Synchronization
import TestKit
import Testing

@testable import ObjectStore
@testable import RecordStore

@Suite("threads and processes")
struct SharingTests {
  @Test("threads that count up together lose nothing, and readers see whole versions only")
  func threads() throws {
    let folder = try TemporaryFolder()
    let configuration = folder.configuration()
    let realm = try Realm(configuration: configuration)
    try realm.write {
      realm.create(Person.self, value: ["id": 1])
      realm.create(Person.self, value: ["id": 2])
    }
    let torn = Atomic<Int>(0)
    let done = DispatchGroup()
    for number in 0..<4 {
      done.enter()
      Thread {
        defer { done.leave() }
        do {
          let realm = try Realm(configuration: configuration)
          let people = realm.objects(Person.self).sorted(byKeyPath: "id")
          for _ in 0..<50 {
            if number < 2 {
              try realm.write { for person in people { person.age += 1 } }
            } else {
              realm.refresh()
              if people[0].age != people[1].age { torn.wrappingAdd(1, ordering: .relaxed) }
            }
          }
        } catch { Issue.record(error) }
      }.start()
    }
    done.wait()
    realm.refresh()
    #expect(realm.objects(Person.self).map(\.age) == [100, 100])
    #expect(torn.load(ordering: .relaxed) == 0)
  }

  @Test("another process writes to the file; this one sees it and hears of it")
  func processes() async throws {
    let folder = try TemporaryFolder()
    let path = folder.url.path
    let file = try RealmFile.open(.file(path: path + "/test.realm"))
    let (stream, continuation) = AsyncStream<Void>.makeStream()
    try autoreleasepool {
      let realm = try Realm(configuration: folder.configuration())
      try realm.write { _ = realm.create(Person.self, value: ["id": 1, "name": "Ada"]) }
    }
    let observation = try file.observeCommits { continuation.yield() }
    let before = try file.dump()
    await #expect(processExitsWith: .success) { [path = path as String] in
      let configuration = Realm.Configuration(
        fileURL: URL(fileURLWithPath: path + "/test.realm"), objectTypes: [Person.self, Dog.self, Address.self])
      let realm = try Realm(configuration: configuration)
      guard realm.object(ofType: Person.self, forPrimaryKey: 1)?.name == "Ada" else { exit(2) }
      for id in 2..<20 { try realm.write { _ = realm.create(Person.self, value: ["id": id]) } }
      exit(0)
    }
    var iterator = stream.makeAsyncIterator()
    await iterator.next()
    let after = try file.dump()
    #expect(before != after)
    #expect(after.objects["Person"]?.count == 19)
    observation.cancel()
  }

  @Test("two processes that count up together lose nothing")
  func counting() async throws {
    let folder = try TemporaryFolder()
    let path = folder.url.path
    let configuration = folder.configuration()
    try autoreleasepool {
      let realm = try Realm(configuration: configuration)
      try realm.write { _ = realm.create(Person.self, value: ["id": 1]) }
    }
    let other = Task.detached {
      _ = await #expect(processExitsWith: .success) { [path = path as String] in
        let realm = try Realm(
          configuration: Realm.Configuration(
            fileURL: URL(fileURLWithPath: path + "/test.realm"), objectTypes: [Person.self, Dog.self, Address.self]))
        for _ in 0..<40 { try realm.write { realm.object(ofType: Person.self, forPrimaryKey: 1)?.age += 1 } }
        exit(0)
      }
    }
    let (done, finished) = AsyncStream<Void>.makeStream()
    Thread {
      do {
        let realm = try Realm(configuration: configuration)
        for _ in 0..<40 { try realm.write { realm.object(ofType: Person.self, forPrimaryKey: 1)?.age += 1 } }
      } catch { Issue.record(error) }
      finished.yield()
    }.start()
    var iterator = done.makeAsyncIterator()
    await iterator.next()
    await other.value
    let dump = try RealmFile.open(.file(path: path + "/test.realm")).dump()
    #expect(dump.objects["Person"]?[.int(1)]?["age"] == .value(.int(80)))
  }

  @Test("a frozen copy stays as it was, on any thread; thawing leads back")
  func freezing() throws {
    let realm = try Realm(configuration: memoryConfiguration())
    let ada = try realm.write { realm.create(Person.self, value: ["id": 1, "name": "Ada", "tags": ["a"]]) }
    let frozen = ada.freeze()
    let people = realm.objects(Person.self).filter("name == 'Ada'").freeze()
    try realm.write {
      ada.name = "Eve"
      ada.tags.append("b")
    }
    struct Pass: @unchecked Sendable {
      let person: Person
      let people: Results<Person>
    }
    let pass = Pass(person: frozen, people: people)
    onThread {
      #expect(pass.person.name == "Ada")
      #expect(Array(pass.person.tags) == ["a"])
      #expect(pass.person.isFrozen)
      #expect(pass.people.count == 1)
      #expect(pass.people.first?.name == "Ada")
    }
    #expect(frozen.thaw()?.name == "Eve")
    #expect(people.thaw()?.count == 0)
    try realm.write { realm.delete(ada) }
    #expect(frozen.name == "Ada")
    #expect(frozen.thaw() == nil)
    #expect(!frozen.isInvalidated)
  }

  @Test("invalidating a realm ends everything live")
  func invalidating() throws {
    let realm = try Realm(configuration: memoryConfiguration())
    let ada = try realm.write { realm.create(Person.self, value: ["id": 1]) }
    let people = realm.objects(Person.self)
    realm.invalidate()
    #expect(ada.isInvalidated)
    #expect(people.isInvalidated)
    #expect(people.count == 0)
    #expect(realm.objects(Person.self).count == 1)
  }
}

extension SharingTests {
  /// Rules whose violation ends the program, each with what it says.
  @Test("breaking a rule ends the program and says which")
  func rules() async throws {
    let writing = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try Realm(configuration: memoryConfiguration())
      let ada = try realm.write { realm.create(Person.self, value: ["id": 1]) }
      ada.name = "outside"
    }
    #expect(text(writing).contains("outside of a write transaction"))
    let threads = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try Realm(configuration: memoryConfiguration())
      struct Pass: @unchecked Sendable { let person: Person }
      let pass = Pass(person: try realm.write { realm.create(Person.self, value: ["id": 1]) })
      onThread { _ = pass.person.name }
    }
    #expect(text(threads).contains("incorrect thread"))
    let deleted = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try Realm(configuration: memoryConfiguration())
      let ada = try realm.write { realm.create(Person.self, value: ["id": 1]) }
      try realm.write { realm.delete(ada) }
      _ = ada.name
    }
    #expect(text(deleted).contains("deleted or invalidated"))
    let keys = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try Realm(configuration: memoryConfiguration())
      try realm.write { realm.create(Person.self, value: ["id": 1]) }
      try realm.write { realm.create(Person.self, value: ["id": 1]) }
    }
    #expect(text(keys).contains("existing primary key value '1'"))
  }

  private func text(_ result: ExitTest.Result?) -> String {
    String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
  }
}
