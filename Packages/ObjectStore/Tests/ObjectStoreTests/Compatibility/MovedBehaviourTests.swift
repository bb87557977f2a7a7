import Foundation
import Synchronization
import TestKit
import Testing

@testable import ObjectStore
@testable import RecordStore

/// Behaviour that code written for RealmSwift expects, beyond the values that it reads.
@Suite("behaviour that code from RealmSwift relies on")
struct MovedBehaviourTests {
  @Test("an enum or custom type is by its name what is stored, and what stands for none is nil where nil may be")
  func storedByName() throws {
    let realm = try Realm(configuration: typesConfiguration())
    realm.beginWrite()
    defer { realm.cancelWrite() }
    for holder in [realm.create(Holder.self, value: ["id": 1]), Holder(value: ["id": 2])] {
      holder["species"] = Species.cat
      holder["temperature"] = Celsius(degrees: 3)
      #expect(holder["species"] as? String == "cat")
      #expect(holder.value(forKey: "temperature") as? Double == 3)
      holder["guess"] = "bird"
      #expect(holder.guess == .bird)
      #expect(holder["guess"] as? String == "bird")
      holder["guess"] = "unicorn"
      holder["even"] = 3
      #expect(holder.guess == nil)
      #expect(holder["guess"] == nil)
      #expect(holder.even == nil)
    }
    let made = Holder(value: ["id": 3, "guess": "unicorn", "kindMap": ["a": "unicorn", "b": "cat"]])
    #expect(made.guess == nil)
    #expect(made.kindMap["a"] == .some(nil))
    #expect(made.kindMap["b"] == .cat)
    #expect(realm.create(Holder.self, value: made).guess == nil)
  }

  @Test("a collection that is set by its name stays the one that it was, also of an object outside of realms")
  func collectionsByName() throws {
    let person = Person()
    let tags = person.tags
    person["tags"] = ["a", "b"]
    #expect(person.tags === tags)
    #expect(Array(tags) == ["a", "b"])
    person.setValue(person.value(forKey: "tags"), forKey: "tags")
    #expect(person.tags === tags)
    #expect(Array(tags) == ["a", "b"])
    let realm = try Realm(configuration: memoryConfiguration())
    try realm.write {
      realm.create(Person.self, value: ["id": 0, "tags": ["x"]])
      person["tags"] = [String]()
      realm.add(person, update: .modified)
    }
    #expect(person.tags.isEmpty, "what was set to nothing is written as nothing")
  }

  @Test("the values that a set has by a name are a set")
  func setsByName() throws {
    let realm = try Realm(configuration: typesConfiguration())
    let holder = try realm.write {
      realm.create(Holder.self, value: ["id": 1, "linkSet": [[1, "a"], [2, "a"]], "intSet": [1, 2]])
    }
    #expect((holder.linkSet.value(forKey: "name") as Any?) as? Set<String> == ["a"])
    #expect((holder.intSet.value(forKeyPath: "self") as Any?) as? Set<Int> == [1, 2])
    #expect((holder.linkSet.value(forKey: "name") as [AnyObject]).count == 1)
    let sum = holder.linkSet.value(forKeyPath: "@sum.id")
    #expect((sum as? NSNumber)?.intValue == 3)
    #expect(sum as? Int == 3)
    #expect((holder.linkSet.value(forKeyPath: "@unionOfObjects.name") as Any?) as? [String] == ["a", "a"])
  }

  @Test("a realm that was opened to be read only is read only beside one that may be written")
  func readOnly() throws {
    let folder = try TemporaryFolder()
    let realm = try Realm(configuration: folder.configuration())
    var configuration = folder.configuration()
    configuration.readOnly = true
    let reading = try Realm(configuration: configuration)
    try realm.write { _ = realm.create(Person.self, value: ["id": 1]) }
    reading.refresh()
    #expect(reading.configuration.readOnly)
    #expect(!realm.configuration.readOnly)
    #expect(reading != realm)
    #expect(reading.objects(Person.self).count == 1)
    #expect(try Realm(configuration: configuration) == reading)
  }

  @Test("what comes over a bridge becomes nil, a case, or a number of another size")
  func bridge() {
    #expect(dynamicBridgeCast(fromObjectiveC: NSNull()) as Int? == nil)
    #expect(dynamicBridgeCast(fromObjectiveC: 5) as Int8? == 5)
    #expect(dynamicBridgeCast(fromObjectiveC: "cat") as Species == .cat)
    #expect(dynamicBridgeCast(fromObjectiveC: NSNull()) as Species? == nil)
  }

  @Test("an embedded object that lies in a property already may be assigned to it")
  func sameEmbedded() throws {
    let realm = try Realm(configuration: memoryConfiguration())
    try realm.write {
      let person = realm.create(Person.self, value: ["id": 1])
      let home = Address(value: ["street": "Main"])
      person.home = home
      person.home = home
      #expect(!home.isInvalidated)
      #expect(home.realm == realm)
      #expect(person.home?.street == "Main")
      person.home = Address(value: ["street": "Side"])
      #expect(home.isInvalidated)
      #expect(person.home?.street == "Side")
    }
  }

  @Test("what is deleted in the transaction that created it is gone at once")
  func deletedAtOnce() async throws {
    let realm = try Realm(configuration: memoryConfiguration())
    try realm.write {
      let dogs = ["Rex", "Ace"].map { realm.create(Dog.self, value: ["name": $0]) }
      #expect(dogs.map(\.name) == ["Rex", "Ace"])
      realm.delete(dogs[0])
      #expect(dogs[0].isInvalidated && !dogs[1].isInvalidated && dogs[1].name == "Ace")
    }
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try Realm(configuration: memoryConfiguration())
      try realm.write {
        let dog = realm.create(Dog.self, value: ["name": "Rex"])
        _ = dog.name
        realm.delete(dog)
        dog.name = "Ace"
      }
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("deleted or invalidated"))
  }

  @Test("create copies the unmanaged objects among its values, each once")
  func copies() throws {
    let realm = try Realm(configuration: memoryConfiguration())
    let (rex, eve) = (Dog(value: ["name": "Rex"]), Person(value: ["id": 2, "name": "Eve"]))
    eve.dogs.append(rex)
    eve.friend = eve
    let ada = try realm.write {
      realm.create(Person.self, value: ["id": 1, "dogs": [rex, rex], "friend": eve, "home": Address()])
    }
    #expect(rex.realm == nil && eve.realm == nil && eve.dogs[0] === rex)
    #expect(ada.friend?.name == "Eve")
    #expect(ada.friend?.friend?.id == 2)
    #expect(ada.home != nil)
    #expect(ada.dogs.map(\.name) == ["Rex", "Rex"])
    #expect(realm.objects(Dog.self).count == 1)
    let copy = try realm.write { realm.create(Person.self, value: eve, update: .modified) }
    #expect(eve.realm == nil)
    #expect(copy.friend == copy)
    #expect(realm.objects(Person.self).count == 2)
    let types = try Realm(configuration: typesConfiguration())
    let item = Item(value: ["id": 5])
    let holder = try types.write {
      types.create(
        Holder.self, value: ["id": 1, "any": item, "anys": [AnyRealmValue.object(item)], "linkMap": ["a": item]])
    }
    #expect(item.realm == nil)
    #expect(holder.any.object(Item.self)?.id == 5)
    #expect(types.objects(Item.self).count == 1)
  }

  @Test("a position in an unmanaged list of objects is found by a condition")
  func unmanagedPositions() throws {
    let realm = try Realm(configuration: memoryConfiguration())
    let live = try realm.write {
      realm.create(Person.self, value: ["id": 1, "name": "Live", "dogs": [["name": "Ace"]]])
    }
    let people = List<Person>()
    people.append(objectsIn: [
      Person(value: ["id": 1, "name": "Ada"]), Person(value: ["id": 2, "name": "Eve", "dogs": [["name": "Rex"]]]), live,
    ])
    people[0].friend = people[1]
    #expect(people.index(matching: "name == 'Eve'") == 1)
    #expect(people.index(matching: "ANY dogs.name == 'Rex'") == 1)
    #expect(people.index(matching: "friend.name == %@", "Eve") == 0)
    #expect(people.index(matching: "name == 'Live'") == 2)
    #expect(people.index { $0.dogs.name == "Ace" } == 2)
    #expect(people.index(matching: "age > 3") == nil)
    #expect(people.allSatisfy { $0 === live || $0.realm == nil })
  }

  @Test("handlers of a realm hear of a commit that changes nothing")
  func emptyCommit() throws {
    let realm = try Realm(configuration: memoryConfiguration())
    var heard: [Realm.Notification] = []
    let token = realm.observe { notification, _ in heard.append(notification) }
    try realm.write {}
    #expect(heard == [.didChange])
    try realm.write(withoutNotifying: [token]) {}
    #expect(heard == [.didChange])
  }

  @Test("a property that is set to what it is tells nobody")
  func sameValue() throws {
    let realm = try Realm(configuration: memoryConfiguration())
    let ada = try realm.write { realm.create(Person.self, value: ["id": 1, "name": "Ada", "age": 3]) }
    var heard: [String] = []
    let tokens = [
      ada.observe { (change: ObjectChange<Person>) in heard.append("object \(change)") },
      realm.objects(Person.self).observe { change in
        if case .update = change { heard.append("results") }
      },
    ]
    realm.refresh()
    try realm.write { (ada.name, ada.age) = ("Ada", 3) }
    realm.refresh()
    #expect(heard == [])
    tokens.forEach { $0.invalidate() }
  }

  @Test("an asynchronous write is one of the operations that a realm performs")
  @MainActor
  func asynchronousWrites() async throws {
    let realm = try await Realm(configuration: memoryConfiguration(), downloadBeforeOpen: .never)
    try await realm.asyncWrite { #expect(realm.isPerformingAsynchronousWriteOperations) }
    #expect(!realm.isPerformingAsynchronousWriteOperations)
    await #expect(throws: CancellationError.self) { try await realm.asyncWrite { throw CancellationError() } }
    #expect(!realm.isPerformingAsynchronousWriteOperations)
    #expect(!realm.isInWriteTransaction)
  }

  /// An actor that writes while others do.
  private actor Writer {
    let configuration: Realm.Configuration
    init(_ configuration: Realm.Configuration) { self.configuration = configuration }
    func add(_ id: Int) async throws {
      let realm = try await Realm.open(configuration: configuration)
      try await realm.asyncWrite { _ = realm.create(Person.self, value: ["id": id]) }
    }
    /// Whether the actor does other work.
    func isAwake() -> Bool { true }
  }

  @Test("an asynchronous write lets its actor work while another thread writes, and can be cancelled")
  @MainActor
  func waitingWrites() async throws {
    let configuration = memoryConfiguration()
    let realm = try Realm(configuration: configuration)
    let writer = Writer(configuration)
    realm.beginWrite()
    let cancelled = Task { try await writer.add(1) }
    let waiting = Task { try await writer.add(2) }
    try await Task.sleep(for: .milliseconds(20))
    #expect(await writer.isAwake())
    cancelled.cancel()
    await #expect(throws: CancellationError.self) { try await cancelled.value }
    realm.create(Person.self, value: ["id": 3])
    try realm.commitWrite()
    try await waiting.value
    realm.refresh()
    #expect(realm.objects(Person.self).map(\.id).sorted() == [2, 3])
  }

  /// An actor whose tasks write with one realm.
  private actor Queue {
    private var realm: Realm?
    private(set) var asked: [Int] = []
    private(set) var written: [Int] = []
    func open(_ configuration: Realm.Configuration) async throws {
      realm = try await Realm.open(configuration: configuration)
    }
    func write(_ number: Int) async throws {
      asked.append(number)
      try await realm?.asyncWrite { written.append(number) }
    }
  }

  @Test("asynchronous writes that wait run in the order they were asked for, without those that were cancelled")
  @MainActor
  func orderOfWaitingWrites() async throws {
    let configuration = memoryConfiguration()
    let realm = try Realm(configuration: configuration)
    let queue = Queue()
    try await queue.open(configuration)
    for round in 0..<20 {
      realm.beginWrite()
      let before = await queue.asked.count
      var tasks = (0..<6).map { number in Task { try await queue.write(round * 7 + number) } }
      while await queue.asked.count < before + 6 { await Task.yield() }
      let cancelled = round % 6
      tasks[cancelled].cancel()
      await #expect(throws: CancellationError.self) { try await tasks[cancelled].value }
      try realm.commitWrite()
      // Nobody writes any more, and those who waited are still to come.
      tasks.append(Task { try await queue.write(round * 7 + 6) })
      for (number, task) in tasks.enumerated() where number != cancelled { try await task.value }
      let asked = await queue.asked[before...].filter { $0 != round * 7 + cancelled }
      #expect(await queue.written.suffix(6) == asked[...])
    }
    #expect(await queue.written.count == 120)
  }

  @Test("a task that is cancelled gets a token that is invalid")
  @MainActor
  func cancelledObserving() async throws {
    let realm = try await Realm(configuration: memoryConfiguration(), downloadBeforeOpen: .never)
    let people = realm.objects(Person.self)
    let task = Task { @MainActor in
      withUnsafeCurrentTask { $0?.cancel() }
      let token = await people.observe(on: MainActor.shared) { _, _ in Issue.record("it was not to be observed") }
      return token.invalidate()
    }
    #expect(await task.value == false)
  }

  @Test("an element that changes its place in its section is a deletion and an insertion")
  func sections() throws {
    let realm = try Realm(configuration: memoryConfiguration())
    try realm.write {
      for (id, name) in ["Ada", "Bob", "Bo"].enumerated() {
        realm.create(Person.self, value: ["id": id, "name": name])
      }
    }
    let sections = realm.objects(Person.self).sectioned(by: { String($0.name.prefix(1)) }, sortDescriptors: ["name"])
    var heard: [String] = []
    let token = sections.observe { change in
      guard case .update(_, let deletions, let insertions, let modifications, _, _) = change else { return }
      heard.append([deletions, insertions, modifications].map { "\($0.map { Array($0) })" }.joined(separator: " "))
    }
    realm.refresh()
    try realm.write { realm.object(ofType: Person.self, forPrimaryKey: 2)?.name = "Bz" }
    realm.refresh()
    try realm.write { realm.object(ofType: Person.self, forPrimaryKey: 2)?.name = "By" }
    realm.refresh()
    #expect(heard.first == "[[1, 0]] [[1, 1]] []" || heard.first == "[[1, 1]] [[1, 0]] []")
    #expect(heard.last == "[] [] [[1, 1]]")
    token.invalidate()
  }
}
