import Foundation
import Synchronization
import TestKit
import Testing

@testable import ObjectStore
@testable import RecordStore

/// Where tests of actors keep a realm.
private actor ConfinedRealm {
  var realm: Realm?
  let configuration: Realm.Configuration

  init(_ configuration: Realm.Configuration) { self.configuration = configuration }

  func open() async throws -> Int {
    let realm = try await Realm(configuration: configuration, actor: self)
    self.realm = realm
    #expect(try await Realm.open(configuration: configuration) == realm)
    return realm.objects(Person.self).count
  }

  struct Smuggled: @unchecked Sendable { let realm: Realm? }
  /// The very mistake that is to be found.
  func smuggled() -> Smuggled { Smuggled(realm: realm) }

  func add(_ id: Int) async throws -> Bool {
    guard let realm else { return false }
    try await realm.asyncWrite { _ = realm.create(Person.self, value: ["id": id, "name": "P\(id)"]) }
    return realm.object(ofType: Person.self, forPrimaryKey: id)?.name == "P\(id)"
  }

  func name(_ reference: ThreadSafeReference<Person>) -> String? { realm?.resolve(reference)?.name }

  func thawed(_ id: Int) -> Bool {
    let person = realm?.object(ofType: Person.self, forPrimaryKey: id)?.freeze()
    return person?.thaw()?.realm == realm
  }

  func refreshed() async -> Int {
    await realm?.asyncRefresh()
    return realm?.objects(Person.self).count ?? 0
  }

  func writeLater() async -> [String] {
    guard let realm else { return [] }
    var heard: [String] = []
    await withCheckedContinuation { continuation in
      realm.writeAsync(
        { heard.append("first \(realm.isInWriteTransaction)") }, onComplete: { _ in heard.append("done") })
      let forgotten = realm.beginAsyncWrite { heard.append("forgotten") }
      realm.beginAsyncWrite {
        realm.create(Person.self, value: ["id": 800])
        heard.append("never committed")
      }
      realm.beginAsyncWrite {
        heard.append("\(realm.object(ofType: Person.self, forPrimaryKey: 800) == nil)")
        realm.create(Person.self, value: ["id": 801])
        realm.commitAsyncWrite { error in
          heard.append("committed \(error == nil) \(realm.isInWriteTransaction)")
          continuation.resume()
        }
      }
      #expect(realm.isPerformingAsynchronousWriteOperations)
      do { try realm.cancelAsyncWrite(forgotten) } catch { Issue.record(error) }
    }
    #expect(!realm.isPerformingAsynchronousWriteOperations)
    return heard
  }
}

@Suite("crossing threads")
struct ThreadTests {
  @Test("references make objects, collections and queries live elsewhere, at their version or a newer one")
  func references() throws {
    let configuration = memoryConfiguration()
    let realm = try Realm(configuration: configuration)
    let ada = try realm.write {
      realm.create(Person.self, value: ["id": 1, "name": "Ada", "dogs": [["name": "Rex"]], "tags": ["a", "b"]])
    }
    let person = ThreadSafeReference(to: ada)
    let dogs = ThreadSafeReference(to: ada.dogs)
    let tags = ThreadSafeReference(to: ada.tags)
    let owners = ThreadSafeReference(to: ada.dogs[0].owners)
    let found = ThreadSafeReference(to: realm.objects(Person.self).filter("name == 'Ada'"))
    let gone = ThreadSafeReference(to: try realm.write { realm.create(Person.self, value: ["id": 2]) })
    try realm.write { realm.object(ofType: Person.self, forPrimaryKey: 2).map { realm.delete($0) } }
    onThread {
      do {
        let other = try Realm(configuration: configuration)
        let ada = try #require(other.resolve(person))
        #expect(ada.name == "Ada")
        #expect(!ada.isFrozen)
        #expect(ada.realm == other)
        #expect(other.resolve(dogs)?.first?.name == "Rex")
        #expect(other.resolve(tags).map { Array($0) } == ["a", "b"])
        #expect(other.resolve(owners)?.count == 1)
        #expect(other.resolve(found)?.count == 1)
        #expect(other.resolve(gone) == nil)
        #expect(person.isInvalidated)
        #expect(gone.isInvalidated)
        try other.write { ada.name = "Eve" }
      } catch { Issue.record(error) }
    }
    realm.refresh()
    #expect(ada.name == "Eve")
  }

  @Test("a thread-safe variable gives what is live where it is read")
  func wrapper() throws {
    let configuration = memoryConfiguration()
    let realm = try Realm(configuration: configuration)
    @ThreadSafe var ada = try realm.write { realm.create(Person.self, value: ["id": 1, "name": "Ada"]) }
    let shared = _ada
    onThread {
      let ada = shared.wrappedValue
      #expect(ada?.name == "Ada")
      #expect(ada?.isFrozen == false)
      do { try ada?.realm?.write { ada?.name = "Eve" } } catch { Issue.record(error) }
    }
    realm.refresh()
    #expect(ada?.name == "Eve")
    try realm.write { realm.deleteAll() }
    #expect(ada == nil)
  }

  @Test("a realm belongs to an actor")
  func actors() async throws {
    let configuration = memoryConfiguration()
    let file = try RealmFile.open(configuration.location)
    let confined = ConfinedRealm(configuration)
    #expect(try await confined.open() == 0)
    #expect(try await confined.add(1))
    #expect(await confined.thawed(1))
    let reference = try await Task.detached {
      let realm = try Realm(configuration: configuration)
      let ada = try realm.write { realm.create(Person.self, value: ["id": 7, "name": "Ada"]) }
      return ThreadSafeReference(to: ada)
    }.value
    #expect(await confined.name(reference) == "Ada")
    #expect(await confined.refreshed() == 2)
    #expect(
      await confined.writeLater() == ["first true", "done", "never committed", "true", "committed true false"])
    withExtendedLifetime(file) {}
  }

  @Test("the main actor keeps its realm whatever thread it runs on")
  @MainActor
  func mainActor() async throws {
    let configuration = memoryConfiguration()
    let realm = try await Realm(configuration: configuration, downloadBeforeOpen: .never)
    try await realm.asyncWrite { _ = realm.create(Person.self, value: ["id": 1]) }
    for _ in 0..<10 {
      try await Task.sleep(nanoseconds: 100_000)
      #expect(realm.objects(Person.self).count == 1)
    }
    let other = try Realm(configuration: configuration)
    #expect(other == realm)
    #expect(try await Realm.open(configuration: configuration) == realm)
  }

  @Test("realms open in the background, for a queue; cancelled ones do not answer")
  func opening() async throws {
    let folder = try TemporaryFolder()
    let configuration = folder.configuration()
    let queue = DispatchQueue(label: "opened")
    let count = try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Int, any Error>) in
      Realm.asyncOpen(configuration: configuration, callbackQueue: queue) { (realm: Realm?, error: (any Error)?) in
        guard let realm else { return continuation.resume(throwing: error ?? CancellationError()) }
        do {
          try realm.write { _ = realm.create(Person.self, value: ["id": 1]) }
          continuation.resume(returning: realm.objects(Person.self).count)
        } catch { continuation.resume(throwing: error) }
      }
    }
    #expect(count == 1)
    let task = Realm.asyncOpen(configuration: configuration, callbackQueue: queue) {
      (result: Result<Realm, any Error>) in
      Issue.record("a cancelled opening answered with \(result)")
    }
    task.cancel()
    var broken = configuration
    broken.fileURL = URL(fileURLWithPath: "/dev/null/x.realm")
    let failure = broken
    let error = await withCheckedContinuation { continuation in
      Realm.asyncOpen(configuration: failure, callbackQueue: queue) { (result: Result<Realm, any Error>) in
        if case .failure(let error) = result { continuation.resume(returning: error as? Realm.Error) }
      }
    }
    #expect(error?.code == .fileOperationFailed)
    queue.sync {}
  }

  @Test("misuse of references and transactions ends the program and says which rule was broken")
  func misuse() async throws {
    func text(_ result: ExitTest.Result?) -> String {
      String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    }
    let twice = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try Realm(configuration: memoryConfiguration())
      let reference = ThreadSafeReference(to: try realm.write { realm.create(Person.self, value: ["id": 1]) })
      _ = realm.resolve(reference)
      _ = realm.resolve(reference)
    }
    #expect(text(twice).contains("Can only resolve a thread safe reference once."))
    let unmanaged = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = ThreadSafeReference(to: Person())
    }
    #expect(text(unmanaged).contains("Cannot construct reference to unmanaged object"))
    let nested = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try Realm(configuration: memoryConfiguration())
      realm.beginWrite()
      realm.beginWrite()
    }
    #expect(text(nested).contains("already in a write transaction"))
    let frozen = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try Realm(configuration: memoryConfiguration())
      try realm.freeze().write {}
    }
    #expect(text(frozen).contains("frozen Realm"))
    let actor = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let confined = ConfinedRealm(memoryConfiguration())
      _ = try await confined.open()
      await confined.smuggled().realm?.objects(Person.self).forEach { _ in }
    }
    #expect(text(actor).contains("incorrect thread"))
  }
}
