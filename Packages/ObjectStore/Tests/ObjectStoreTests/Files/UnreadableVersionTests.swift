import ChangesetOT
import DataModel
import Foundation
import SQLiteDatabase
import TestKit
import Testing

@testable import ObjectStore
@testable import RecordStore

/// A class that no realm knows when it is opened.
private final class Latecomer: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name: String
  @Persisted var next: Latecomer?
  @Persisted var numbers: List<Int>
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// The content of a view when no version can be read, or none in which a class is as the program has it.
@Suite struct UnreadableVersionTests {
  /// Makes the newest version of a realm unreadable, as a foreign program might; or undoes that.
  private func spoil(_ configuration: Realm.Configuration, isUndone: Bool = false) throws {
    let path = try #require(configuration.fileURL).path
    let connection = try SQLiteConnection(path: path, mode: .readWrite)
    try connection.prepare("UPDATE root SET version = version + \(isUndone ? -1 : 1)").run()
  }

  private func expect(_ code: Realm.Error.Code, _ body: () throws -> Void) {
    let error = #expect(throws: Realm.Error.self) { try body() }
    #expect(error?.code == code)
    #expect(error?.message.count ?? 0 > 30)
  }

  private func filled(_ folder: TemporaryFolder) throws -> Realm.Configuration {
    let configuration = folder.configuration(types: SampleRealm.types)
    let realm = try Realm(configuration: configuration)
    try realm.write {
      for number in 0..<5 { realm.create(Person.self, value: ["id": number, "name": "Ada", "age": number]) }
    }
    return configuration
  }

  @Test("the first read after invalidate() of a file that cannot be read finds nothing, and the next write says so")
  func invalidated() throws {
    let folder = try TemporaryFolder()
    let configuration = try filled(folder)
    let realm = try Realm(configuration: configuration)
    realm.invalidate()
    try spoil(configuration)
    let people = realm.objects(Person.self)
    #expect(people.isEmpty)
    #expect(Array(people).isEmpty)
    #expect(people.first == nil)
    #expect(people.filter("age > 2 AND friend.name == 'Ada'").isEmpty)
    #expect(people.sorted(byKeyPath: "name").isEmpty)
    #expect(people.max(ofProperty: "age") as Int? == nil)
    #expect(realm.object(ofType: Person.self, forPrimaryKey: 1) == nil)
    #expect(realm.dynamicObjects("Person").isEmpty)
    let frozen = realm.freeze()
    #expect(frozen.objects(Person.self).isEmpty)
    expect(.invalidDatabase) { try frozen.checkReads() }
    expect(.invalidDatabase) { try realm.write { _ = realm.create(Person.self, value: ["id": 9]) } }
    // It is as bad as it was.
    expect(.invalidDatabase) { try realm.write { _ = realm.create(Person.self, value: ["id": 9]) } }
    #expect(!realm.isInWriteTransaction)
    #expect(!realm.refresh())
    expect(.invalidDatabase) { try realm.checkReads() }
    try spoil(configuration, isUndone: true)
    #expect(realm.refresh())
    #expect(people.count == 5)
    #expect(people.filter("age > 2").count == 2)
    try realm.write { _ = realm.create(Person.self, value: ["id": 9]) }
    try realm.checkReads()
    #expect(people.count == 6)
  }

  @Test("whoever observes a realm that came to show nothing is told the error")
  func observed() throws {
    let folder = try TemporaryFolder()
    let configuration = try filled(folder)
    let realm = try Realm(configuration: configuration)
    realm.invalidate()
    try spoil(configuration)
    var told: [String] = []
    let token = realm.objects(Person.self).observe { change in
      switch change {
      case .initial(let people): told.append("initial \(people.count)")
      case .update: told.append("update")
      case .error(let error): told.append((error as? Realm.Error)?.code == .invalidDatabase ? "damage" : "\(error)")
      }
    }
    defer { token.invalidate() }
    realm.notifierTurn()
    try spoil(configuration, isUndone: true)
    _ = realm.refresh()
    #expect(told == ["damage"])
  }

  @Test("what is thawed where the file cannot be read is nothing, and the realm says why")
  func thawed() throws {
    let folder = try TemporaryFolder()
    let configuration = try filled(folder)
    let (frozen, ada, people) = try {
      let realm = try Realm(configuration: configuration)
      let ada = try #require(realm.object(ofType: Person.self, forPrimaryKey: 1))
      return (realm.freeze(), ada.freeze(), realm.objects(Person.self).filter("age > 2").freeze())
    }()
    try spoil(configuration)
    #expect(ada.thaw() == nil)
    #expect(ada.name == "Ada")
    #expect(people.count == 2)
    let live = frozen.thaw()
    #expect(!live.isFrozen)
    #expect(live.objects(Person.self).isEmpty)
    #expect(live.objects(Dog.self).isEmpty)
    #expect(people.thaw()?.isEmpty ?? true)
    expect(.invalidDatabase) { try live.write { _ = live.create(Person.self, value: ["id": 9]) } }
    try spoil(configuration, isUndone: true)
    #expect(live.refresh())
    #expect(live.objects(Person.self).count == 5)
    #expect(ada.thaw()?.name == "Ada")
    try live.write { _ = live.create(Person.self, value: ["id": 9]) }
  }

  /// A realm of all classes of the program that do not ask to be left out.
  private func ofProgram(_ folder: TemporaryFolder) -> Realm.Configuration {
    var configuration = folder.configuration()
    configuration.objectTypes = nil
    return configuration
  }

  /// Makes the class of a latecomer another one, behind the back of whoever has the file open.
  private func makeStrange(_ file: RealmFile) throws {
    try file.write { session in
      if let layout = session.writer.catalog["Latecomer"] { try session.writer.eraseClass(layout) }
      let key = PrimaryKeyColumn(field: "id", type: .string)
      let layout = try session.writer.addClass("Latecomer", kind: .topLevel, key: key)
      try session.writer.addField(FieldDeclaration(name: "name", type: .double), to: layout)
    }
  }

  /// Uses a class that the file has otherwise.
  private func useStranger(_ realm: Realm) throws {
    let all = realm.objects(Latecomer.self)
    #expect(all.isEmpty)
    #expect(Array(all).isEmpty)
    #expect(all.filter("name == 'a' OR next.id == 3").isEmpty)
    #expect(realm.object(ofType: Latecomer.self, forPrimaryKey: 1) == nil)
    expect(.schemaMismatch) { try realm.checkReads() }
    var told: [String] = []
    let token = all.observe { change in
      if case .error(let error) = change { told.append("\((error as? Realm.Error)?.code == .schemaMismatch)") }
    }
    realm.notifierTurn()
    token.invalidate()
    #expect(told == ["true"])
    _ = realm.objects(Latecomer.self)
    expect(.schemaMismatch) { try realm.write {} }
    expect(.schemaMismatch) {
      try realm.write {
        let new = realm.create(Latecomer.self, value: ["id": 1, "name": "one", "numbers": [1, 2]])
        new.name = "two"
        new.next = new
        new.numbers.append(3)
        realm.add(Latecomer(value: ["id": 2]), update: .modified)
        realm.delete(realm.objects(Latecomer.self).filter("id > 0"))
        #expect(realm.objects(Latecomer.self).where { $0.name == "two" }.isEmpty)
      }
    }
    // A reader that does not use the class goes on.
    try realm.write { realm.create(Person.self, value: ["id": 1], update: .modified) }
    try realm.checkReads()
  }

  @Test("a class that joins late and lies in the file otherwise has no objects, and the next write says so")
  func late() throws {
    let folder = try TemporaryFolder()
    let configuration = ofProgram(folder)
    let realm = try Realm(configuration: configuration)
    try makeStrange(realm.file)
    _ = realm.refresh()
    try useStranger(realm)
    let frozen = realm.freeze()
    #expect(frozen.objects(Latecomer.self).filter("name == 'a'").isEmpty)
    expect(.schemaMismatch) { try frozen.checkReads() }
    try realm.file.write { session in
      try session.writer.eraseClass(#require(session.writer.catalog["Latecomer"]))
    }
    _ = realm.refresh()
    try realm.write { realm.create(Latecomer.self, value: ["id": 1, "name": "one"]) }
    #expect(realm.objects(Latecomer.self).filter("name == 'one'").count == 1)
  }

  @Test("a class that somebody makes another while it is in use has no objects from then on")
  func changed() throws {
    let folder = try TemporaryFolder()
    let realm = try Realm(configuration: ofProgram(folder))
    let one = try realm.write { realm.create(Latecomer.self, value: ["id": 1, "name": "one", "numbers": [1]]) }
    let all = realm.objects(Latecomer.self).filter("name == 'one'")
    #expect(all.count == 1)
    #expect(one.numbers.count == 1)
    try makeStrange(realm.file)
    _ = realm.refresh()
    #expect(one.isInvalidated)
    #expect(all.isEmpty)
    #expect(all.sorted(byKeyPath: "id").isEmpty)
    expect(.schemaMismatch) { try realm.checkReads() }
    try useStranger(realm)
  }

  @Test("a class that cannot be brought into the file has no objects, and joins once it can")
  func unwritable() throws {
    let folder = try TemporaryFolder()
    let configuration = ofProgram(folder)
    let realm = try Realm(configuration: configuration)
    try spoil(configuration)
    #expect(realm.objects(Latecomer.self).filter("name == 'one'").isEmpty)
    expect(.invalidDatabase) { try realm.write {} }
    try spoil(configuration, isUndone: true)
    try realm.write { realm.create(Latecomer.self, value: ["id": 1, "name": "one"]) }
    #expect(realm.objects(Latecomer.self).filter("name == 'one'").count == 1)
  }

  @Test("what is not written has no objects of a class that it does not have")
  func readOnly() throws {
    let folder = try TemporaryFolder()
    var configuration = ofProgram(folder)
    let writing = try Realm(configuration: configuration)
    let frozen = writing.freeze()
    #expect(frozen.objects(Latecomer.self).filter("name == 'one'").isEmpty)
    try frozen.checkReads()
    configuration.readOnly = true
    try DispatchQueue(label: "reader").sync {
      let realm = try Realm(configuration: configuration)
      #expect(realm.objects(Latecomer.self).filter("next.name == 'one'").isEmpty)
      try realm.checkReads()
    }
  }

  private enum Grade: Int, RealmEnum { case one = 1, two }
  private final class Graded: Object {
    @Persisted var grades: List<Grade>
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
  }
  private final class MaybeGraded: Object {
    @Persisted var grades: List<Grade?>
    @Persisted var grade = Grade.two
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
  }

  @Test("elements for which nothing could stand are refused where they are declared, whatever a file holds")
  func elements() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var configuration = memoryConfiguration()
      configuration.objectTypes = [Graded.self]
      _ = try Realm(configuration: configuration)
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("Property 'Graded.grades' has elements of a type that may not stand for what is stored"))
    let folder = try TemporaryFolder()
    let realm = try Realm(configuration: folder.configuration(types: [MaybeGraded.self]))
    let graded = try realm.write { realm.create(MaybeGraded.self, value: ["grades": [1, 2]]) }
    try realm.file.write { session in
      let layout = try #require(session.writer.catalog["MaybeGraded"])
      let field = try #require(layout.field("grades"))
      let row = try #require(session.writer.readView.rows(layout).first)
      try session.writer.setElement(.int(7), at: 0, Cell(layout, row, field))
      try session.writer.set(.int(7), Cell(layout, row, #require(layout.field("grade"))))
    }
    _ = realm.refresh()
    #expect(Array(graded.grades) == [nil, .two])
    #expect(graded.grade == .two)
    expect(.invalidInput) { try realm.checkReads() }
  }
}

extension Realm {
  /// Lets observers hear, as a turn of the run loop does.
  fileprivate func notifierTurn() { view.notifier.deliver() }
}
