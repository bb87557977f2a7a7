import DataExchange
import DataModel
import Foundation
import ObjectStore
import RecordStore
import TestKit
import Testing

@Suite("Bad input") struct BadInputTests {
  static let schema = Schema([
    ObjectSchema(
      className: "Dog", primaryKey: "id",
      properties: [
        Property(name: "id", type: .int, isIndexed: true), Property(name: "name", type: .string),
        Property(name: "age", type: .int),
        Property(name: "mother", type: .object, objectClassName: "Dog", isOptional: true),
      ])
  ])

  func kennel(_ name: String = UUID().uuidString) throws -> RealmFile {
    let file = try RealmFile.open(.inMemory(name: name))
    try file.edit { try $0.addClasses(Self.schema) }
    return file
  }

  @Test(
    "an error in JSON has its line, column and path, and nothing is written",
    arguments: [
      ("[{\"id\": 1, \"age\": \"x\"}]", ":1:19: Dog[0].age: expected a whole number of 64 bits, found the text \"x\"."),
      (
        "[\n  {\"id\": 1},\n  {\"id\": 2, \"agee\": 3}\n]",
        ":3:21: Dog[1]: Dog has no property 'agee'; it has id, name, age, mother."
      ),
      ("[{\"name\": \"Rex\"}]", ":1:2: Dog[0]: the primary key 'id' is missing."),
      ("[{\"id\": 1, \"age\": null}]", ":1:19: Dog[0].age: the value is required and cannot be null."),
      (
        "[{\"id\": 1, \"mother\": \"a\"}]",
        ":1:22: Dog[0].mother: expected a whole number of 64 bits, the key of an object of class Dog, found \"a\"."
      ),
      ("[{\"id\": 1,}]", ":1:11: expected a name in quotes, found '}'."),
      ("[{\"id\": 1}", ":1:11: expected ']', found the end of the text."),
      ("[{\"id\": 01}]", ":1:11: '01' is no number."),
      ("[{\"id\": 1.}]", ":1:11: '1.' is no number."),
      ("[{\"id\": 1.e5}]", ":1:13: '1.e5' is no number."),
      ("[{\"id\": -.5}]", ":1:12: '-.5' is no number."),
      ("[{\"id\": 1e+}]", ":1:12: '1e+' is no number."),
      ("[{\"id\": +1}]", ":1:9: expected a value, found '+'."),
      (
        "[{\"id\": 9223372036854775808}]",
        ":1:9: Dog[0].id: expected a whole number of 64 bits, found 9223372036854775808."
      ),
      ("{\"Cat\": []}", ":1:8: there is no class 'Cat' whose objects stand by themselves; there is Dog."),
      ("{\"version\": 2}", ":1:13: the file is of version 2; this program reads version 1."),
    ])
  func badJSON(_ text: String, _ message: String) throws {
    let folder = try Folder()
    let file = try kennel()
    let path = try folder.write(text, "dogs.json")
    #expect { try RealmImport(path: path, className: "Dog").run(into: file) } throws: { error in
      #expect("\(error)" == path + message)
      return true
    }
    #expect(try file.contents().count(of: "Dog") == 0)
  }

  @Test(
    "an error in CSV has its line, column and path",
    arguments: [
      ("id,name\r\n1,\"a\"b\r\n", ":2:6: expected a comma or the end of the line after a quoted value."),
      ("id,name\n1,\"open\n", ":2:3: a quote does not end."),
      ("id,name\n1\n", ":2:1: Dog[0]: the line has 1 values, the first line names 2."),
      ("id,size\n", ":1:4: Dog has no property 'size'; it has id, name, age, mother."),
      ("id,age\n1,2\n2,old\n", ":3:3: Dog[1].age: expected a whole number of 64 bits, found \"old\"."),
      ("id,id\n", ":1:4: Dog: 'id' names two columns."),
    ])
  func badCSV(_ text: String, _ message: String) throws {
    let folder = try Folder()
    let file = try kennel()
    let path = try folder.write(text, "Dog.csv")
    #expect { try RealmImport(path: path).run(into: file) } throws: { error in
      #expect("\(error)" == path + message)
      return true
    }
    #expect(try file.contents().count(of: "Dog") == 0)
  }

  @Test("objects that do not fit are left out and reported if asked")
  func skipping() throws {
    let folder = try Folder()
    let file = try kennel()
    let path = try folder.write("id,name,age,mother\n1,Rex,9,3\n2,Ada,old,\n3,\"Bo, jr.\",1,\n", "Dog.csv")
    let report = try RealmImport(path: path, skipsBadObjects: true).run(into: file)
    #expect(report.created == 2)
    #expect(report.skipped == 1)
    #expect(report.problems.map(\.line) == [3])
    #expect(
      try file.dump().description
        == #"Dog[1] age: int(9), id: int(1), mother: →Dog[3], name: string("Rex")"# + "\n"
        + #"Dog[3] age: int(1), id: int(3), mother: null, name: string("Bo, jr.")"#)
  }

  @Test("tables of other programs are read")
  func foreignTables() throws {
    let folder = try Folder()
    let file = try kennel()
    let path = try folder.write("\u{FEFF}name,id\n,7\nRex,8", "pets.csv")
    #expect(try RealmImport(path: path, className: "Dog").run(into: file).created == 2)
    #expect(try file.contents().object(ObjectReference(className: "Dog", key: .int(7)))?["name"] == .value(""))
    // Objects that exist keep what is not given.
    let more = try folder.write(#"{"Dog": [{"id": 8, "age": 4}]}"#, "more.json")
    #expect(try RealmImport(path: more).run(into: file).updated == 1)
    #expect(try file.contents().object(ObjectReference(className: "Dog", key: .int(8)))?["name"] == .value("Rex"))
  }

  @Test("a damaged export gives an error or data, and no trap")
  func damage() throws {
    let folder = try Folder()
    for seed in Seeds.some(1) {
      var random = SeededGenerator(seed: seed)
      var generator = RandomRealm(random: SeededGenerator(seed: seed))
      let source = try RealmFile.open(.inMemory(name: "damaged \(seed)"))
      try generator.fill(source, objects: 3)
      var text = ""
      try RealmExport(source.contents()).writeJSON { text += $0 }
      for number in 0..<60 {
        let path = folder.path + "/\(number).json"
        let bytes = Damage.random(of: Array(text.utf8), using: &random)
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        let target = try RealmFile.open(.inMemory(name: "damaged target \(seed) \(number)"))
        do { _ = try RealmImport(path: path).run(into: target) } catch let error as ExchangeError {
          #expect(!error.message.isEmpty)
          #expect(try target.contents().schema.objectSchema.isEmpty, "seed \(seed), \(number)")
        } catch let error as Realm.Error { #expect(!error.message.isEmpty) }
      }
    }
  }
}
