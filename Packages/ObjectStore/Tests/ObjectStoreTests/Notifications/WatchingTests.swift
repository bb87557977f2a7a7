import Foundation
import Synchronization
import TestKit
import Testing

@testable import ObjectStore
@testable import RecordStore

private actor Listener {
  private(set) var heard: [String] = []
  private var tokens: [NotificationToken] = []
  private var waiting: CheckedContinuation<Void, Never>?
  private var realm: Realm?

  func keep(_ token: NotificationToken) { tokens.append(token) }

  func hear(_ text: String) {
    heard.append(text)
    waiting?.resume()
    waiting = nil
  }

  /// Returns when something was heard after the first `count`.
  func wait(after count: Int) async -> [String] {
    while heard.count <= count { await withCheckedContinuation { waiting = $0 } }
    return heard
  }

  func watch(_ configuration: Realm.Configuration) async throws {
    let realm = try await Realm(configuration: configuration, actor: self)
    self.realm = realm
    let people = realm.objects(Person.self)
    tokens.append(
      await people.observe(keyPaths: [\.name], on: self) { listener, change in
        switch change {
        case .initial(let now): listener.hear("people \(now.count)")
        case .update(let now, _, let insertions, let modifications):
          listener.hear("people \(now.count) \(insertions) \(modifications)")
        case .error: listener.hear("error")
        }
      })
    guard let ada = people.first else { return }
    tokens.append(
      await ada.observe(on: self) { (listener, change: ObjectChange<Person>) in
        if case .change(let person, let properties) = change {
          listener.hear("\(person.name): \(properties.map(\.name))")
        }
      })
  }

  /// Follows a loop until it has seen some changes.
  func loop(_ configuration: Realm.Configuration, _ count: Int) async throws -> [String] {
    let realm = try await Realm(configuration: configuration, actor: self)
    var seen: [String] = []
    for await change in realm.objects(Person.self).changes {
      switch change {
      case .initial(let now): seen.append("initial \(now.count)")
      case .update(let now, _, let insertions, _): seen.append("update \(now.count) \(insertions)")
      case .error: break
      }
      if seen.count == count { break }
      try await realm.asyncWrite { _ = realm.create(Person.self, value: ["id": 100 + seen.count]) }
    }
    return seen
  }

  func values(_ configuration: Realm.Configuration) async throws -> [Int] {
    let realm = try await Realm(configuration: configuration, actor: self)
    var seen: [Int] = []
    for try await people in realm.objects(Person.self).collectionPublisher.values {
      seen.append(people.count)
      if seen.count == 2 { break }
      try await realm.asyncWrite { _ = realm.create(Person.self, value: ["id": 500]) }
    }
    return seen
  }
}

@Suite("watching")
struct WatchingTests {
  /// The changes that each key path reports, of a number of changes.
  @Test("key paths hear of what lies on them, through links, lists and inverse relationships, and of nothing else")
  func paths() throws {
    let realm = try Realm(configuration: memoryConfiguration())
    let (ada, bob) = try realm.write {
      (
        realm.create(Person.self, value: ["id": 1, "name": "Ada", "dogs": [["name": "Rex"], ["name": "Bo"]]]),
        realm.create(Person.self, value: ["id": 2, "name": "Bob", "home": ["street": "A", "number": 1]])
      )
    }
    try realm.write { ada.friend = bob }
    let rex = ada.dogs[0]
    let changes: [(String, () -> Void)] = [
      ("name", { ada.name += "x" }), ("friend's name", { bob.name += "x" }),
      ("friend's age", { bob.age += 1 }), ("friend", { ada.friend = ada.friend == nil ? bob : nil }),
      ("friend back", { ada.friend = bob }), ("dog's name", { rex.name += "x" }), ("dog's weight", { rex.weight += 1 }),
      ("new dog", { ada.dogs.append(Dog(value: ["name": "New"])) }), ("street", { bob.home?.street += "x" }),
      ("friend's dogs", { bob.dogs.append(rex) }), ("tags", { ada.tags.append("t") }),
    ]
    // By key path: the changes that Ada, at 0, is modified by.
    let expected: [(String, [String])] = [
      ("name", ["name"]), ("friend", ["friend", "friend back"]),
      ("friend.name", ["friend's name", "friend", "friend back"]),
      ("friend.home.street", ["friend", "friend back", "street"]),
      ("dogs", ["new dog"]), ("dogs.name", ["dog's name", "new dog"]), ("tags", ["tags"]),
      ("dogs.owners.name", ["name", "new dog", "friend's dogs"]),
      ("friend.dogs", ["friend", "friend back", "friend's dogs"]),
    ]
    var current = ""
    var heard: [String: [String]] = [:]
    var told: [String: Set<String>] = [:]
    var tokens: [NotificationToken] = []
    for (path, _) in expected {
      tokens.append(
        realm.objects(Person.self).observe(keyPaths: [path]) { change in
          if case .update(_, _, _, let modifications) = change, modifications.contains(0) {
            heard[path, default: []].append(current)
          }
        })
      tokens.append(
        ada.observe(keyPaths: [path]) { (change: ObjectChange<Person>) in
          if case .change(_, let properties) = change { told[current, default: []].formUnion(properties.map(\.name)) }
        })
    }
    var dogs: [String] = []
    tokens.append(
      realm.objects(Dog.self).observe(keyPaths: [\.owners[0].name, \.name]) { change in
        if case .update(_, _, _, let modifications) = change, modifications.contains(0) { dogs.append(current) }
      })
    realm.refresh()
    for (name, change) in changes {
      current = name
      try realm.write { change() }
      realm.refresh()
    }
    for (path, names) in expected { #expect(heard[path, default: []] == names, "\(path)") }
    #expect(dogs == ["name", "dog's name", "friend's dogs"])
    #expect(told["friend's name"] == ["friend", "dogs"] || told["friend's name"] == ["friend"])
    #expect(told["new dog"] == ["dogs"])
    #expect(told["tags"] == ["tags"])
    withExtendedLifetime(tokens) {}
  }

  @Test("an unknown key path ends the program and says which")
  func unknown() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try Realm(configuration: memoryConfiguration())
      _ = realm.objects(Person.self).observe(keyPaths: ["dogs.nam"]) { _ in }
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("'Dog' has no property 'nam'"))
  }

  @Test("handlers run on an actor, with what belongs to it")
  func actors() async throws {
    let configuration = memoryConfiguration()
    let file = try RealmFile.open(configuration.location)
    try await Task.detached {
      let realm = try Realm(configuration: configuration)
      try realm.write { _ = realm.create(Person.self, value: ["id": 1, "name": "Ada"]) }
    }.value
    let listener = Listener()
    try await listener.watch(configuration)
    #expect(await listener.wait(after: 0) == ["people 1"])
    try await Task.detached {
      let realm = try Realm(configuration: configuration)
      try realm.write { realm.objects(Person.self).first?.name = "Eve" }
    }.value
    let heard = await listener.wait(after: 2)
    #expect(heard.sorted() == ["Eve: [\"name\"]", "people 1", "people 1 [] [0]"])
    withExtendedLifetime(file) {}
  }

  @Test("loops receive the collection and each change")
  func loops() async throws {
    let configuration = memoryConfiguration()
    #expect(try await Listener().loop(configuration, 3) == ["initial 0", "update 1 [0]", "update 2 [1]"])
    #expect(try await Listener().values(memoryConfiguration()) == [0, 1])
  }

  @Test("a realm's own handler is left out of a commit by its token; without autorefresh it hears that it is behind")
  func realmHandlers() throws {
    let configuration = memoryConfiguration()
    let realm = try Realm(configuration: configuration)
    var heard: [Realm.Notification] = []
    let token = realm.observe { notification, _ in heard.append(notification) }
    try realm.write(withoutNotifying: [token]) { _ = realm.create(Person.self, value: ["id": 1]) }
    #expect(heard.isEmpty)
    try realm.write { _ = realm.create(Person.self, value: ["id": 2]) }
    #expect(heard == [.didChange])
    token.invalidate()
  }
}
