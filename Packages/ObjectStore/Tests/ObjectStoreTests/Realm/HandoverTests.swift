import TestKit
import Testing

@testable import ObjectStore
@testable import RecordStore

@Suite("freezing and carrying within a write transaction")
struct HandoverTests {
  private let configuration = memoryConfiguration()

  private func withAda(_ body: (Realm, Person) throws -> Void) throws {
    let realm = try Realm(configuration: configuration)
    let ada = try realm.write {
      realm.create(Person.self, value: ["id": 1, "name": "Ada", "dogs": [["name": "Rex"]], "tags": ["a"]])
    }
    try body(realm, ada)
  }

  @Test("what is frozen within a write transaction is as it was before")
  func before() throws {
    try withAda { realm, ada in
      try realm.write {
        ada.name = "Eve"
        ada.tags.append("b")
        ada.dogs[0].name = "Fido"
        realm.create(Person.self, value: ["id": 2])
        #expect(ada.freeze().name == "Ada")
        #expect(ada.tags.freeze().count == 1)
        #expect(realm.freeze().objects(Person.self).count == 1)
        #expect(realm.objects(Person.self).filter("name == 'Eve'").freeze().isEmpty)
        #expect(ada.dogs[0].freeze().name == "Rex" && ada.dogs[0].owners.freeze().first?.name == "Ada")
        let again = ada.freeze().thaw()
        #expect(again?.name == "Eve", "it thaws into the transaction")
        #expect(again?.realm == realm, "it thaws into the transaction")
      }
      #expect(ada.freeze().name == "Eve")
    }
  }

  @Test("what a transaction created cannot be frozen within it")
  func created() async throws {
    func text(_ result: ExitTest.Result?) -> String {
      String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    }
    let object = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try Realm(configuration: memoryConfiguration())
      try realm.write { _ = realm.create(Person.self, value: ["id": 1]).freeze() }
    }
    #expect(text(object).contains("Cannot freeze an object in the same write transaction as it was created in."))
    let list = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try Realm(configuration: memoryConfiguration())
      try realm.write { _ = realm.create(Person.self, value: ["id": 1]).tags.freeze() }
    }
    #expect(
      text(list).contains("Cannot freeze a collection in the same write transaction as its object was created in."))
  }

  @Test("a reference made within a write transaction leads to what it created once that is committed")
  func references() throws {
    try withAda { realm, ada in
      realm.beginWrite()
      let bob = realm.create(Person.self, value: ["id": 2, "name": "Bob", "tags": ["x"]])
      ada.name = "Eve"
      let early = ThreadSafeReference(to: bob)
      let references = (ThreadSafeReference(to: bob), ThreadSafeReference(to: bob.tags), ThreadSafeReference(to: ada))
      let configuration = self.configuration
      onThread {
        do {
          #expect(try Realm(configuration: configuration).resolve(early) == nil, "nobody else sees it yet")
        } catch { Issue.record(error) }
      }
      try realm.commitWrite()
      try realm.write { realm.create(Person.self, value: ["id": 3]) }
      onThread {
        do {
          let other = try Realm(configuration: configuration)
          other.autorefresh = false
          #expect(other.resolve(references.0)?.name == "Bob")
          #expect(other.resolve(references.1)?.first == "x")
          #expect(other.resolve(references.2)?.name == "Eve")
        } catch { Issue.record(error) }
      }
    }
  }

  @Test("a reference to what a cancelled transaction created leads nowhere, whoever takes its place")
  func cancelled() throws {
    try withAda { realm, _ in
      realm.beginWrite()
      let reference = ThreadSafeReference(to: realm.create(Dog.self, value: ["name": "Fido"]))
      realm.cancelWrite()
      try realm.write { realm.create(Dog.self, value: ["name": "Max"]) }
      #expect(realm.resolve(reference) == nil)
    }
  }

  @Test("a realm of another file finds nothing behind a reference")
  func otherFile() throws {
    try withAda { _, ada in
      let other = try Realm(configuration: memoryConfiguration())
      #expect(other.resolve(ThreadSafeReference(to: ada)) == nil)
    }
  }

  @Test("a thread-safe variable is set and read within write transactions")
  func wrapper() throws {
    try withAda { realm, ada in
      @ThreadSafe var dogs = ada.dogs
      @ThreadSafe var newest: Person? = nil
      @ThreadSafe var card: PersonCard? = nil
      try realm.write {
        newest = realm.create(Person.self, value: ["id": 2, "name": "Bob"])
        card = newest.map { PersonCard(projecting: $0) }
        #expect(newest?.name == "Bob")
        #expect(newest?.realm == realm)
        #expect(card?.title == "Bob")
      }
      let (sharedDogs, sharedNewest, sharedCard) = (_dogs, _newest, _card)
      let configuration = self.configuration
      onThread {
        do {
          let other = try Realm(configuration: configuration)
          #expect(sharedNewest.wrappedValue?.name == "Bob")
          #expect(sharedCard.wrappedValue?.title == "Bob")
          try other.write {
            sharedDogs.wrappedValue?.removeAll()
            sharedDogs.wrappedValue?.append(Dog(value: ["name": "Max"]))
            sharedNewest.wrappedValue = other.create(Person.self, value: ["id": 3, "name": "Cem"])
          }
        } catch { Issue.record(error) }
      }
      #expect(dogs?.first?.name == "Max", "a read moves the realm where it is behind")
      #expect(dogs?.count == 1, "a read moves the realm where it is behind")
      #expect(newest?.name == "Cem")
    }
  }
}

private class PersonCard: Projection<Person> {
  @Projected(\Person.name) var title
}
