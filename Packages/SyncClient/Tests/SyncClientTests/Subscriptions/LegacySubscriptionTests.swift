import Foundation
import ObjectStore
import RecordStore
@testable import SyncClient
import Testing

/// Query-based sync as its documentation has it, over a file and a scripted server.
struct LegacySubscriptionTests {
  /// Runs the loop until a subscription has a state.
  private func run(_ stage: QueryStage, _ subscription: SyncSubscription, until state: SyncSubscriptionState) {
    for _ in 0..<500 {
      stage.run(.milliseconds(100))
      if subscription.state == state { return }
      Thread.sleep(forTimeInterval: 0.01)
    }
    Issue.record("the state is \(subscription.state)")
  }

  /// A stage whose server serves every set but those that name a word.
  private func stage(refusing word: String = "nothing is refused") throws -> QueryStage {
    let stage = try QueryStage()
    stage.server.answer = { [server = stage.server] query in
      let version = query.version.rawValue
      return [query.json.contains(word) ? server.refusal(of: version, "no") : server.download([], of: version, .last)]
    }
    _ = stage.connect()
    return stage
  }

  @Test("a subscription is created, pending, complete, and invalidated when it is removed")
  func states() throws {
    let stage = try stage()
    let realm = try stage.realm()
    let dogs = realm.objects(Dog.self).filter("name BEGINSWITH 'R'")
    #expect(!dogs.isComplete)
    let subscription = dogs.subscribe(named: "r")
    run(stage, subscription, until: .complete)
    #expect(dogs.isComplete)
    #expect(subscription.query == #"name BEGINSWITH "R""#)
    #expect(subscription.createdAt != nil)
    #expect(realm.subscription(named: "r")?.state == .complete)
    subscription.unsubscribe()
    run(stage, subscription, until: .invalidated)
    #expect(realm.subscription(named: "r") == nil)
    #expect(stage.server.heard.contains("query 2 {}"))
  }

  @Test("observers hear each state where the realm is used, the first one at once when they ask for it")
  func observing() throws {
    let stage = try stage()
    let realm = try stage.realm()
    let subscription = realm.objects(Dog.self).subscribe(named: "all")
    var states: [SyncSubscriptionState] = []
    let token = subscription.observe(\.state, options: .initial) { states.append($0) }
    #expect(states.count == 1)
    run(stage, subscription, until: .complete)
    realm.refresh()
    #expect(states.last == .complete)
    token.invalidate()
    subscription.unsubscribe()
    run(stage, subscription, until: .invalidated)
    realm.refresh()
    #expect(states.last == .complete)
  }

  @Test("a refused subscription keeps its error, and those beside it and behind it are served")
  func errors() throws {
    let stage = try stage(refusing: "_id < 7")
    let realm = try stage.realm()
    let good = realm.objects(Dog.self).filter("_id < 3").subscribe(named: "good")
    run(stage, good, until: .complete)
    let bad = realm.objects(Dog.self).filter("_id < 7").subscribe(named: "bad")
    for _ in 0..<100 where bad.state == .creating || bad.state == .pending {
      stage.run(.milliseconds(100))
      Thread.sleep(forTimeInterval: 0.01)
    }
    guard case .error(let error) = bad.state else {
      Issue.record("the state is \(bad.state)")
      return
    }
    #expect((error as? SyncError)?.code == .invalidFlexibleSyncSubscriptions)
    #expect(good.state == .complete)
    let next = realm.objects(Dog.self).filter("_id < 4").subscribe(named: "next")
    run(stage, next, until: .complete)
    #expect(good.state == .complete)
    guard case .error = bad.state else {
      Issue.record("the state is \(bad.state)")
      return
    }
  }

  @Test("a name that another query has is refused, unless the subscription is to be updated")
  func names() throws {
    let stage = try stage()
    let realm = try stage.realm()
    let first = realm.objects(Dog.self).filter("_id < 3").subscribe(named: "search")
    run(stage, first, until: .complete)
    let second = realm.objects(Dog.self).filter("_id < 4").subscribe(named: "search")
    guard case .error(let error) = second.state else {
      Issue.record("the state is \(second.state)")
      return
    }
    #expect((error as? Realm.Error)?.code == .subscriptionFailed)
    let other = realm.objects(Owner.self).subscribe(named: "search", update: true)
    guard case .error = other.state else {
      Issue.record("the state is \(other.state)")
      return
    }
    let third = realm.objects(Dog.self).filter("_id < 4").subscribe(named: "search", update: true)
    run(stage, third, until: .complete)
    #expect(realm.subscription(named: "search")?.query == "_id < 4")
    #expect(realm.subscriptions().count == 1)
  }

  @Test("sort, distinct, limit and linking objects travel with the query")
  func clauses() throws {
    let stage = try stage()
    let realm = try stage.realm()
    let subscription = realm.objects(Dog.self).filter("_id > 1").sorted(byKeyPath: "name").distinct(by: ["name"])
      .subscribe(limit: 10, includingLinkingObjects: ["owners"])
    run(stage, subscription, until: .complete)
    #expect(
      subscription.query == "_id > 1 SORT(name ASC) DISTINCT(name) LIMIT(10) INCLUDE(@links.Owner.dogs)")
    #expect(stage.server.heard.contains { $0.contains(#"{"Dog":"_id > 1 SORT(name ASC)"#) })
    let wrong = realm.objects(Dog.self).subscribe(includingLinkingObjects: ["name"])
    guard case .error = wrong.state else {
      Issue.record("the state is \(wrong.state)")
      return
    }
  }

  @Test("subscriptions are found by patterns of their names")
  func lookup() throws {
    let stage = try stage()
    let realm = try stage.realm()
    for (number, name) in ["screenA.one", "screenA.two", "screenB.one"].enumerated() {
      run(stage, realm.objects(Dog.self).filter("_id < %@", number).subscribe(named: name), until: .complete)
    }
    let found = realm.subscriptions().filter("name LIKE 'screenA.*'")
    #expect(found.compactMap(\.name) == ["screenA.one", "screenA.two"])
    #expect(realm.subscriptions().filter("name LIKE %@", "screen?.one").count == 2)
  }

  @Test("an expired subscription is removed by the next change of subscriptions")
  func expiry() throws {
    let stage = try stage()
    let realm = try stage.realm()
    let brief = realm.objects(Dog.self).filter("_id < 3").subscribe(named: "brief", timeToLive: 0.001)
    run(stage, brief, until: .complete)
    #expect(brief.timeToLive == 0.001)
    Thread.sleep(forTimeInterval: 0.05)
    #expect(realm.subscription(named: "brief") != nil)
    let next = realm.objects(Dog.self).subscribe(named: "all", timeToLive: 3_600)
    run(stage, next, until: .complete)
    #expect(realm.subscription(named: "brief") == nil)
    #expect(brief.state == .invalidated)
    #expect(next.expiresAt.map { $0 > Date() } == true)
  }

  @Test("the asynchronous form returns the results when they are complete")
  @MainActor
  func asynchronous() async throws {
    let stage = try stage()
    let done = Box(false)
    let waiting = Task { @MainActor in
      let realm = try stage.realm()
      let dogs = try await realm.objects(Dog.self).subscribe(name: "all")
      done.value = dogs.isComplete
    }
    try await SubscriptionSetTests.run(stage, until: { done.value })
    try await waiting.value
  }
}
