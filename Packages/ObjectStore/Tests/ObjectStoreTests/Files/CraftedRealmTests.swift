import Foundation
import SQLiteDatabase
import TestKit
import Testing

@testable import ObjectStore
@testable import RecordStore
@testable import StorageEngine

/// Files that pass every checksum and that no store wrote: bytes of their pages are changed, and sealed again.
@Suite struct CraftedRealmTests {
  /// A page of a file: a node, or the root.
  private enum Page {
    case node(Int64)
    case root(Int64)

    var context: SealingContext {
      switch self {
      case .node(let id): .node(id)
      case .root(let version): .root(version: UInt64(bitPattern: version))
      }
    }
  }

  private func pages(_ connection: SQLiteConnection) throws -> [(page: Page, content: [UInt8])] {
    var pages: [(page: Page, content: [UInt8])] = []
    func read(_ query: String, _ make: (Int64) -> Page) throws {
      let rows = try connection.prepare(query)
      while try rows.step() {
        pages.append((make(rows.int(at: 0)), Array(rows.bytes(at: 1).dropLast(NodeChecksum.byteCount))))
      }
    }
    try read("SELECT id, content FROM node ORDER BY id", { .node($0) })
    try read("SELECT version, content FROM root", { .root($0) })
    return pages
  }

  private func write(_ content: [UInt8], _ page: Page, _ connection: SQLiteConnection) throws {
    let sealed = try NodeSource.closed(content, for: page.context, sealing: nil)
    switch page {
    case .node(let id):
      try connection.prepare("UPDATE node SET content = ? WHERE id = ?").bind(1, sealed).bind(2, id).run()
    case .root: try connection.prepare("UPDATE root SET content = ?").bind(1, sealed).run()
    }
  }

  /// A changed copy of a page.
  private func changed(_ content: [UInt8], using random: inout SeededGenerator) -> [UInt8] {
    var copy = content
    for _ in 0..<Int.random(in: 1...3, using: &random) where !copy.isEmpty {
      let at = Int.random(in: 0..<copy.count, using: &random)
      switch Int.random(in: 0..<6, using: &random) {
      case 0: copy[at] = [0, 1, 0x7F, 0x80, 0xFF][Int.random(in: 0..<5, using: &random)]
      case 1: copy[at] &+= 1
      case 2: copy.remove(at: at)
      default: copy[at] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      }
    }
    return copy
  }

  /// Reads and writes whatever a realm has, as a program would; everything may throw, and nothing may stop it.
  private func use(_ configuration: Realm.Configuration, using random: inout SeededGenerator) throws {
    let realm = try Realm(configuration: configuration)
    _ = SampleRealm.read(realm)
    _ = SampleRealm.holders(realm)
    for person in realm.objects(Person.self) { _ = person.description }
    for holder in realm.objects(Holder.self) { _ = holder.description }
    let frozen = realm.freeze()
    for type in [Person.self, Dog.self, Everything.self, Holder.self, Item.self, OldStyle.self] as [Object.Type] {
      for object in realm.dynamicObjects(type.className()) { _ = object.description }
      for object in frozen.dynamicObjects(type.className()) { _ = object.description }
    }
    _ = Array(realm.objects(Person.self).sorted(byKeyPath: "friend.name").distinct(by: ["age"]).map(\.name))
    _ = realm.objects(Person.self).filter("ANY dogs.owners.age > 3 OR home.street == 'Main'").count
    let sum: Int = realm.objects(Person.self).sum(ofProperty: "age")
    _ = (sum, realm.objects(Holder.self).filter("ANY links.name == 'a' OR ints.@sum > 3 OR anyMap.@count > 1").first)
    for id in 0..<8 { _ = realm.object(ofType: Person.self, forPrimaryKey: id * 9)?.friend?.friend?.home?.street }
    try? realm.checkReads()
    let token = realm.objects(Person.self).observe { _ in }
    defer { token.invalidate() }
    for _ in 0..<3 {
      do {
        try realm.write {
          for person in realm.objects(Person.self).filter("age > 40") { person.name += "!" }
          let person = realm.object(ofType: Person.self, forPrimaryKey: 1)
          person?.dogs.append(Dog(value: ["name": "new"]))
          person?.home = Address(value: ["street": "new"])
          person?.tags.removeAll()
          person?.homes.append(Address(value: ["street": "new"]))
          realm.create(Person.self, value: ["id": Int.random(in: 0..<90, using: &random)], update: .modified)
          if let last = realm.objects(Person.self).last { realm.delete(last) }
          for holder in realm.objects(Holder.self) { change(holder, using: &random) }
          if random.oneIn(4) { realm.delete(realm.objects(Holder.self)) }
          if random.oneIn(8) { realm.deleteAll() }
        }
      } catch is Realm.Error {}
      _ = realm.refresh()
    }
    _ = try? realm.file.verify()
    _ = try? realm.file.dump()
  }

  /// Changes one of everything that a holder has.
  private func change(_ holder: Holder, using random: inout SeededGenerator) {
    func change<T>(_ list: List<T>, _ element: @autoclosure () -> T) {
      list.append(element())
      list.insert(element(), at: list.count / 2)
      list[0] = element()
      list.move(from: 0, to: list.count - 1)
      list.removeLast()
    }
    func change<T>(_ set: MutableSet<T>, _ element: T) {
      set.insert(element)
      if set.count > 3, let first = set.first { set.remove(first) }
    }
    func change<T>(_ map: Map<String, T>, _ value: T) {
      map["k"] = value
      if map.count > 2, let first = map.keys.first { map.removeObject(for: first) }
    }
    let item = holder.realm?.create(Item.self, value: ["id": 77], update: .modified)
    (holder.link, holder.spot, holder.species, holder.grade) = (item, Spot(), .cat, .high)
    (holder.temperature, holder.point, holder.target) = (Celsius(degrees: 3), Point(x: 1, y: 2), nil)
    holder.any =
      [.string("text"), AnyRealmValue.fromArray([.int(1), .int(2)]), .none].randomElement(using: &random) ?? .none
    holder.any.listValue?.append(.int(3))
    change(holder.ints, 1)
    change(holder.maybeInts, nil)
    change(holder.anys, .int(3))
    change(holder.kinds, .dog)
    change(holder.spots, Spot())
    change(holder.points, Point(x: 2, y: 2))
    if let item { change(holder.links, item) }
    change(holder.intSet, 7)
    change(holder.wordSet, "w")
    change(holder.anySet, .string("s"))
    change(holder.kindSet, .low)
    if let item { change(holder.linkSet, item) }
    change(holder.intMap, 1)
    change(holder.wordMap, nil)
    change(holder.anyMap, .float(3))
    change(holder.kindMap, .cat)
    change(holder.spotMap, Spot())
    change(holder.linkMap, item)
  }

  // RUNS=5000 names each seed before it runs, so that the last one named is the one to replay.
  @Test("pages whose bytes were changed and sealed again give a typed error or some data, and never stop the program")
  func pages() throws {
    let folder = try TemporaryFolder()
    let whole = SampleRealm.configuration(folder, "whole.realm", isEncrypted: false)
    try {
      let first = try Realm(configuration: SampleRealm.configuration(folder, "first.realm", isEncrypted: false))
      try SampleRealm.fill(first, people: 60)
      try first.writeCopy(toFile: #require(whole.fileURL))
    }()
    let bytes = try Data(contentsOf: #require(whole.fileURL))
    var (opened, refused) = (0, 0)
    for seed in Seeds.some(40) {
      if Seeds.runs != nil { print("crafted page, seed \(seed)") }
      var random = SeededGenerator(seed: seed)
      let configuration = SampleRealm.configuration(folder, "crafted\(seed).realm", isEncrypted: false)
      let path = try #require(configuration.fileURL).path
      try bytes.write(to: URL(fileURLWithPath: path))
      try {
        let connection = try SQLiteConnection(path: path, mode: .readWrite)
        let pages = try pages(connection)
        let (page, content) = pages[Int.random(in: 0..<pages.count, using: &random)]
        try write(changed(content, using: &random), page, connection)
      }()
      do {
        try use(configuration, using: &random)
        opened += 1
      } catch let error as Realm.Error {
        #expect(!error.message.isEmpty)
        refused += 1
      }
      for suffix in ["", "-wal", "-shm", ".lock"] { try? FileManager.default.removeItem(atPath: path + suffix) }
    }
    print("crafted pages: \(opened) opened, \(refused) refused")
    #expect(opened + refused > 0)
  }
}
