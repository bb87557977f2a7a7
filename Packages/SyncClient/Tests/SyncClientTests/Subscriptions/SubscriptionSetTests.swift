import Foundation
import ObjectStore
import RecordStore
@testable import SyncClient
import Testing

final class Dog: Object {
  @Persisted(primaryKey: true) var _id = 0
  @Persisted var name = ""
  @Persisted(originProperty: "dogs") var owners: LinkingObjects<Owner>

  // Other packages' tests, in the same process, have a class of this name.
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

final class Owner: Object {
  @Persisted(primaryKey: true) var _id = 0
  @Persisted var dogs: List<Dog>

  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

extension QueryStage {
  /// The realm of the device's file on the calling thread.
  func realm() throws -> Realm {
    guard case .inMemory(let name) = file.location else { preconditionFailure("the stage's file is in memory") }
    return try Realm(
      configuration: Realm.Configuration(
        inMemoryIdentifier: name, objectTypes: [Dog.self, Owner.self], recordsChangesets: true))
  }
}

/// ``SyncSubscriptionSet`` over a file and a scripted server.
struct SubscriptionSetTests {
  @Test("a set is appended to by class, closure and text, and merges what is equal")
  func appending() throws {
    let stage = try QueryStage()
    let set = try stage.realm().subscriptions
    try set.write {
      set.append(QuerySubscription<Dog>(name: "young") { $0._id < 3 }, QuerySubscription<Dog>())
      set.append(QuerySubscription<Owner>(where: "dogs.@count > %@", 1))
      set.append(QuerySubscription<Dog>())
    }
    #expect(set.count == 3)
    #expect(set.first(named: "young")?.query == "_id < 3")
    #expect(set.first(ofType: Owner.self, where: "dogs.@count > 1")?.name == nil)
    #expect(set.first(ofType: Dog.self) { $0._id < 3 }?.name == "young")
    #expect(set.last?.className == "Owner")
    #expect(set.map(\.query) == ["_id < 3", "TRUEPREDICATE", "dogs.@count > 1"])
    #expect(set.state == .pending)
  }

  @Test("a mistake in a query is thrown with its position, and nothing is stored")
  func mistakes() throws {
    let stage = try QueryStage()
    let set = try stage.realm().subscriptions
    for (text, expected) in [
      ("nmae == 'Rex'", "line 1, column 1: Dog has no property 'nmae'"), ("name ==", "line 1, column 8"),
      ("name < 3 AND", "line 1, column"), ("name == 3", "line 1, column"),
    ] {
      let error = #expect(throws: Realm.Error.self) {
        try set.write { set.append(QuerySubscription<Dog>(where: text)) }
      }
      #expect(error?.code == .subscriptionFailed)
      #expect(error?.message.contains(expected) == true, "\(error?.message ?? "")")
    }
    #expect(set.isEmpty)
    #expect(try stage.states == "0 pending")
  }

  @Test("a name that another query has is refused; the same query under it changes nothing")
  func names() throws {
    let stage = try QueryStage()
    let set = try stage.realm().subscriptions
    try set.write { set.append(QuerySubscription<Dog>(name: "a") { $0._id < 3 }) }
    try set.write { set.append(QuerySubscription<Dog>(name: "a") { $0._id < 3 }) }
    #expect(set.version == 1)
    #expect(throws: Realm.Error.self) { try set.write { set.append(QuerySubscription<Dog>(name: "a")) } }
    #expect(set.first(named: "a")?.query == "_id < 3")
  }

  @Test("subscriptions are updated and removed, and keep their identity and the time of their creation")
  func changing() throws {
    let stage = try QueryStage()
    let set = try stage.realm().subscriptions
    try set.write {
      set.append(QuerySubscription<Dog>(name: "a") { $0._id < 3 }, QuerySubscription<Dog>(name: "b"))
      set.append(QuerySubscription<Owner>(), QuerySubscription<Owner>(name: "c") { $0._id == 1 })
    }
    let made = set.first(named: "a")?.createdAt
    try set.write { set.first(named: "a")?.updateQuery(toType: Dog.self, where: "name BEGINSWITH 'R'") }
    #expect(set.first(named: "a")?.query == #"name BEGINSWITH "R""#)
    #expect(set.first(named: "a")?.createdAt == made)
    try set.write { set.remove(named: "b") }
    #expect(set.count == 3)
    try set.write { set.removeAll(unnamedOnly: true) }
    #expect(set.compactMap(\.name) == ["a", "c"])
    try set.write { set.removeAll(ofType: Owner.self) }
    #expect(set.compactMap(\.name) == ["a"])
    try set.write { set.remove(ofType: Dog.self, where: "name BEGINSWITH 'R'") }
    #expect(set.isEmpty)
  }

  @Test("an update returns when its set is complete, and throws the server's refusal")
  func waiting() async throws {
    let stage = try QueryStage()
    let done = Box<[String]>([])
    let set = try Self.shared(stage)
    _ = stage.connect()
    stage.server.answer = { [server = stage.server] query in
      query.version.rawValue == 2 ? [server.refusal(of: 2, "no such class")] : [server.download([], of: 1, .last)]
    }
    let first = Task {
      try await set.update { set.append(QuerySubscription<Dog>()) }
      done.change { $0.append("\(set.state)") }
    }
    try await Self.run(stage, until: { done.value.count == 1 })
    try await first.value
    #expect(done.value == ["complete"])
    let second = Task {
      do { try await set.update { set.append(QuerySubscription<Owner>()) } } catch {
        done.change { $0.append((error as? SyncError)?.message ?? "\(error)") }
      }
    }
    try await Self.run(stage, until: { done.value.count == 2 })
    await second.value
    #expect(done.value == ["complete", "no such class"])
    #expect(set.error != nil)
  }

  @Test("an object of a class without any subscription cannot be written")
  func writing() throws {
    let stage = try QueryStage()
    let realm = try stage.realm()
    let error = #expect(throws: Realm.Error.self) {
      try realm.write { realm.add(Dog(value: ["_id": 1, "name": "Rex"])) }
    }
    #expect(error?.code == .noSubscriptionForWrite)
    let set = realm.subscriptions
    try set.write { set.append(QuerySubscription<Dog> { $0._id > 5 }) }
    try realm.write { realm.add(Dog(value: ["_id": 1, "name": "Rex"])) }
    #expect(realm.objects(Dog.self).count == 1)
  }

  @Test("an object of a class to which a class with a subscription links can be written, and not the other way round")
  func writingLinked() throws {
    let stage = try QueryStage()
    let realm = try stage.realm()
    let set = realm.subscriptions
    try set.write { set.append(QuerySubscription<Dog>()) }
    let error = #expect(throws: Realm.Error.self) { try realm.write { realm.add(Owner(value: ["_id": 1])) } }
    #expect(error?.code == .noSubscriptionForWrite)
    try set.write {
      set.removeAll()
      set.append(QuerySubscription<Owner>())
    }
    try realm.write { realm.add(Owner(value: ["_id": 1, "dogs": [["_id": 2, "name": "Rex"]]])) }
    #expect(realm.objects(Dog.self).map(\.name) == ["Rex"])
  }

  @Test("subscriptions are no objects and no changes")
  func invisibility() throws {
    let stage = try QueryStage()
    let realm = try stage.realm()
    let before = try stage.file.dump()
    let pending = try ClientHistory(stage.file).pendingCount()
    let set = realm.subscriptions
    try set.write { set.append(QuerySubscription<Dog>()) }
    #expect(try stage.file.dump() == before)
    #expect(try ClientHistory(stage.file).pendingCount() == pending)
  }

  private static func shared(_ stage: QueryStage) throws -> SyncSubscriptionSet { try stage.realm().subscriptions }

  /// Runs the loop until a condition holds, for at most ten seconds.
  static func run(
    _ stage: QueryStage, until condition: () -> Bool, _isolation: isolated (any Actor)? = #isolation
  ) async throws {
    for _ in 0..<500 {
      stage.run(.milliseconds(100))
      if condition() { return }
      try await Task.sleep(for: .milliseconds(20))
    }
    Issue.record("the condition never held")
  }
}
