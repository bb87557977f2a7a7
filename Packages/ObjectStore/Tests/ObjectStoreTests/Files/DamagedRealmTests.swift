import ChangesetOT
import DataModel
import Foundation
import StorageEngine
import TestKit
import Testing

@testable import ObjectStore
@testable import RecordStore

@Suite struct DamagedRealmTests {
  private struct Expected {
    var dump: StateDump
    var lines: [String]
    var holders: [Int: HolderModel]
    var people: Int
  }

  private func remove(_ path: String) {
    for suffix in ["", "-wal", "-shm", ".lock"] { try? FileManager.default.removeItem(atPath: path + suffix) }
  }

  private static let codes: [Realm.Error.Code] = [
    .invalidDatabase, .unsupportedFileFormatVersion, .fileAccess, .filePermissionDenied,
  ]

  /// Opens damaged bytes as a realm; true when everything was there and right.
  private func check(_ configuration: Realm.Configuration, _ expected: Expected, _ comment: Comment) throws -> Bool {
    do {
      let realm = try Realm(configuration: configuration)
      // A call that cannot throw shows the right value, or the failure is reported afterwards.
      let (lines, holders) = (SampleRealm.read(realm), SampleRealm.holders(realm))
      let counts = realm.objects(Person.self).count
      try realm.checkReads()
      #expect(lines == expected.lines, comment)
      #expect(holders == expected.holders, comment)
      #expect(counts == expected.people, comment)
      #expect(try realm.file.dump() == expected.dump, comment)
      try realm.write { _ = realm.create(Person.self, value: ["id": 1000]) }
      return true
    } catch let error as Realm.Error {
      #expect(Self.codes.contains(error.code), "\(comment): \(error)")
      #expect(error.message.contains("Restore") || error.message.count > 30, "\(comment): \(error)")
      return false
    }
  }

  // RUNS=300 takes every byte.
  @Test(
    "a flipped bit in any byte of a realm, and a cut at any length, give a typed error or the right objects",
    arguments: [false, true])
  func everyByte(isEncrypted: Bool) throws {
    let folder = try TemporaryFolder()
    let first = SampleRealm.configuration(folder, "first.realm", isEncrypted: isEncrypted)
    let whole = SampleRealm.configuration(folder, "whole.realm", isEncrypted: isEncrypted)
    var expected = try {
      let realm = try Realm(configuration: first)
      try SampleRealm.fill(realm, people: 60)
      try realm.writeCopy(
        toFile: #require(whole.fileURL), encryptionKey: isEncrypted ? SampleRealm.key : nil)
      return Expected(
        dump: try realm.file.dump(), lines: SampleRealm.read(realm), holders: SampleRealm.holders(realm),
        people: realm.objects(Person.self).count)
    }()
    let bytes = try [UInt8](Data(contentsOf: #require(whole.fileURL)))
    expected.lines = try SampleRealm.read(Realm(configuration: whole))
    var random = SeededGenerator(seed: Seeds.seed ?? 1)
    let step = max(1, 300 * bytes.count / 60_000 / (Seeds.runs ?? 1))
    var (right, refused) = (0, 0)
    func look(_ damage: [UInt8], _ comment: Comment) throws {
      // A name of its own: the file before may be closed a moment later.
      let name = "damaged\(right + refused).realm"
      let damaged = SampleRealm.configuration(folder, name, isEncrypted: isEncrypted)
      let url = folder.url.appendingPathComponent(name)
      try Data(damage).write(to: url)
      if try check(damaged, expected, comment) { right += 1 } else { refused += 1 }
      remove(url.path)
    }
    for at in stride(from: 0, to: bytes.count, by: step) {
      var copy = bytes
      copy[at] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      try look(copy, "byte \(at)")
    }
    for length in stride(from: 1, to: bytes.count, by: step * 4) {
      try look(Array(bytes[..<length]), "cut at \(length)")
    }
    print("realm damage\(isEncrypted ? ", encrypted" : ""): \(bytes.count) bytes, \(right) right, \(refused) refused")
    #expect(refused > 0)
    #expect(right > 0)
  }

  // Such bytes pass every checksum: something else than this library wrote them.
  @Test("a catalog that names tables, columns or indexes that are not there, or others, is a typed error")
  func catalogs() throws {
    let file = try memoryFile()
    try file.write { session in
      let layout = try session.writer.addClass("Note", kind: .topLevel, key: PrimaryKeyColumn(field: "id", type: .int))
      try session.writer.addField(FieldDeclaration(name: "text", type: .string), to: layout)
    }
    let whole = try file.latestReadView().catalog
    let note = try #require(whole["Note"])
    let text = try #require(note.field("text"))
    func changed(
      type: PropertyType = .string, collection: CollectionKind = .single, index: IndexID? = nil, repeats: IndexID? = nil
    ) -> ClassLayout {
      let field = FieldLayout(
        name: text.name, column: text.column, type: type, collection: collection, isNullable: text.isNullable,
        index: index, repeats: repeats)
      return note.with(fields: [note.fields[0], field])
    }
    let moved = FieldLayout(
      name: "text", column: ColumnID(7), type: .string, collection: .single, isNullable: false, target: nil)
    var key = try #require(note.key)
    key.isNullable = true
    let impossible = [
      ClassLayout(name: "Note", table: TableID(9), kind: note.kind, key: note.key, fields: note.fields),
      note.with(fields: [note.fields[0], moved]), changed(type: .double), changed(collection: .list),
      changed(index: IndexID(9)), changed(index: note.key?.index), changed(repeats: IndexID(8)),
      note.with(key: key),
    ]
    func catalog(of classes: [ClassLayout]) -> Catalog {
      Catalog(
        revision: whole.revision + 1, schemaVersion: whole.schemaVersion, classes: classes, unresolved: whole.unresolved
      )
    }
    for (number, layout) in impossible.enumerated() {
      try file.store.write { try $0.setRootRecord(Catalog.recordName, catalog(of: [layout]).encoded()) }
      let error = #expect(throws: Realm.Error.self, "\(number)") { try file.dump() }
      #expect(error?.code == .invalidDatabase, "\(number)")
      #expect(throws: Realm.Error.self, "\(number)") { try file.write { _ in } }
    }
    try file.store.write { try $0.setRootRecord(Catalog.recordName, catalog(of: [note]).encoded()) }
    #expect(try file.latestReadView().catalog.classes.count == 1)
  }

  /// A realm of 600 people, one page of whom is damaged.
  private func damaged(_ folder: TemporaryFolder) throws -> Realm {
    let whole = try Realm(configuration: folder.configuration())
    try whole.write {
      for number in 0..<600 { whole.create(Person.self, value: ["id": number, "name": "Ada \(number)", "age": 7]) }
    }
    let url = folder.url.appendingPathComponent("damaged.realm")
    try whole.writeCopy(toFile: url)
    var bytes = try Data(contentsOf: url)
    let name = try #require(bytes.range(of: Data("Ada 100".utf8)))
    bytes[name.lowerBound] ^= 1
    try bytes.write(to: url)
    return try Realm(configuration: folder.configuration("damaged.realm"))
  }

  private func expectDamage(_ body: () throws -> Void) {
    let error = #expect(throws: Realm.Error.self) { try body() }
    #expect(error?.code == .invalidDatabase)
    #expect(error?.message.contains("Restore the file from a backup or its server") == true)
  }

  @Test("properties on a damaged page show their defaults, and what can throw says so once")
  func properties() throws {
    let folder = try TemporaryFolder()
    let realm = try damaged(folder)
    let people = realm.objects(Person.self)
    try realm.checkReads()
    #expect(people.count == 600)
    #expect(Array(people).count == 600)
    expectDamage { try realm.checkReads() }
    let lost = try #require(realm.object(ofType: Person.self, forPrimaryKey: 100))
    #expect(!lost.isInvalidated)
    #expect((lost.name, lost.age, lost.score) == ("", 0, 0))
    #expect(lost.friend == nil)
    #expect(lost.home == nil)
    #expect(lost.born == nil)
    #expect(lost.dogs.isEmpty)
    let found = try #require(realm.object(ofType: Person.self, forPrimaryKey: 500))
    #expect(found.name == "Ada 500")
    let frozen = lost.freeze()
    #expect(frozen.name == "")
    expectDamage { try realm.write { found.name = "never" } }
    #expect(found.name == "Ada 500")
    // A reader to whom the failure was reported goes on.
    try realm.write { found.name = "Grace" }
    #expect(found.name == "Grace")
    #expect(people.filter("name == 'Grace'").isEmpty)
    expectDamage { try realm.checkReads() }
  }

  @Test("a transaction that met a damaged page is not committed, whoever began it how")
  func transactions() throws {
    let folder = try TemporaryFolder()
    let realm = try damaged(folder)
    let lost = try #require(realm.object(ofType: Person.self, forPrimaryKey: 100))
    let found = try #require(realm.object(ofType: Person.self, forPrimaryKey: 500))
    expectDamage {
      try realm.write {
        found.name = "never"
        lost.name = "never"
      }
    }
    #expect(found.name == "Ada 500")
    realm.beginWrite()
    found.name = "never"
    #expect(lost.dogs.isEmpty)
    lost.dogs.append(Dog())
    realm.delete(lost)
    expectDamage { try realm.commitWrite() }
    #expect(found.name == "Ada 500")
    #expect(realm.objects(Dog.self).isEmpty)
    #expect(!realm.isInWriteTransaction)
    // One that cannot begin says so when it commits.
    #expect(lost.name == "")
    realm.beginWrite()
    #expect(realm.isInWriteTransaction)
    let new = realm.create(Person.self, value: ["id": 1000])
    found.name = "never"
    found.dogs.append(Dog())
    realm.delete(found)
    #expect(new.realm == nil)
    expectDamage { try realm.commitWrite() }
    realm.beginWrite()
    realm.cancelWrite()
    try realm.write { found.name = "Grace" }
    #expect(found.name == "Grace")
    #expect(found.dogs.isEmpty)
  }

  @Test("an observed collection that cannot be read is told as an error, the last thing")
  func observing() throws {
    let folder = try TemporaryFolder()
    let realm = try damaged(folder)
    var told: [String] = []
    let token = realm.objects(Person.self).filter("name BEGINSWITH 'Ada'").observe { change in
      switch change {
      case .initial: told.append("initial")
      case .update: told.append("update")
      case .error(let error): told.append((error as? Realm.Error)?.code == .invalidDatabase ? "damage" : "\(error)")
      }
    }
    defer { token.invalidate() }
    _ = realm.refresh()
    try? realm.checkReads()
    try realm.write { realm.create(Person.self, value: ["id": 1000]) }
    _ = realm.refresh()
    #expect(told == ["damage"])
  }
}
