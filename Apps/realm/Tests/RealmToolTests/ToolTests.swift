import ChangesetOT
import CommandLineKit
import DataModel
import Foundation
import ObjectStore
import RecordStore
import RealmTool
import Synchronization
import Testing

@Suite struct ToolTests {
  let kennel: Kennel

  init() throws { kennel = try Kennel() }

  @Test func inspectPrintsClassesAndCounts() throws {
    let lines = try kennel.run("inspect", kennel.file).split(separator: "\n").map(String.init)
    #expect(lines.first == "schema version  0")
    #expect(
      lines.suffix(3) == [
        "CLASS   KIND      KEY  PROPERTIES  OBJECTS", "Dog     topLevel  id            4        3",
        "Person  topLevel  -             1        1",
      ])
    #expect(
      try kennel.run("inspect", kennel.file, "--json").contains(
        #""name":"Dog","kind":"topLevel","primaryKey":"id","properties":4,"objects":3"#))
  }

  @Test func schemaPrintsProperties() throws {
    #expect(
      try kennel.run("schema", kennel.file, "Dog") == """
        Dog
          PROPERTY  TYPE
          id        int, primary key
          name      string
          age       int
          owner     link to Person

        """)
  }

  @Test func queryPrintsRowsObjectsAndCounts() throws {
    #expect(
      try kennel.run("query", kennel.file, "Dog", "age > 3 SORT(name DESC)", "-f", "name,age") == """
        NAME  AGE
        Rex     9
        Ada     4

        """)
    #expect(
      try kennel.run("query", kennel.file, "Dog", "owner.name = 'Ann'", "--json")
        == #"{"id": 1, "name": "Rex", "age": 9, "owner": "7-1"}"# + "\n")
    #expect(try kennel.run("query", kennel.file, "Dog", "--count") == "3\n")
    #expect(try kennel.run("query", kennel.file, "Dog", "-n", "1", "--csv") == "id,name,age,owner\r\n1,Rex,9,7-1\r\n")
    #expect(try kennel.run("query", kennel.file, "Person") == "$KEY  NAME\n7-1   Ann\n")
  }

  @Test func mistakesAreSaidWithTheirRemedy() throws {
    #expect(
      kennel.failure("query", kennel.file, "Dog", "agee > 3").contains("Dog has no property 'agee'"))
    #expect(
      kennel.failure("query", kennel.file, "Cat")
        == "error: the file has no class 'Cat'\n  to do: use one of Dog, Person\n")
    #expect(
      kennel.failure("inspect", kennel.folder + "/none")
        == "error: there is no file \(kennel.folder)/none\n  to do: check the name; 'realm import' makes new files\n")
    #expect(kennel.failure("inspect", kennel.folder).hasPrefix("error: \(kennel.folder) is a folder"))
    let text = kennel.folder + "/text"
    try Data("This is no realm, however one looks at it.".utf8).write(to: URL(fileURLWithPath: text))
    #expect(kennel.failure("inspect", text).hasPrefix("error: cannot open \(text): "))
    #expect(kennel.failure("inspect", kennel.file, "--key-file", text).contains("holds no key"))
    #expect(RealmTool.command.runSynchronously(["inspct"], console: Capture().console()) == .usage)
  }

  @Test(arguments: ["json", "csv", "sqlite"])
  func whatIsExportedIsImported(_ format: String) throws {
    let output = kennel.folder + "/out." + format
    let copy = kennel.folder + "/copy.realm"
    #expect(try kennel.run("export", kennel.file, output) == "wrote 4 objects to \(output)\n")
    #expect(try kennel.run("import", copy, output) == "4 objects made, 0 updated\n")
    #expect(try kennel.run("diff", kennel.file, copy) == "")
    #expect(try kennel.run("verify", copy).hasPrefix("sound: 4 objects"))
    #expect(kennel.failure("export", kennel.file, output).contains("a file of that name exists") || format == "csv")
  }

  @Test(
    arguments: [
      ("bad.json", #"{"schema": [], "objects": {"Cat": [{}]}}"#), ("bad.csv", "a,b\n1\n"),
      ("bad.csv", "a,b\n1,\u{0}\n"),
    ])
  func anImportThatFailsLeavesNoFile(_ name: String, _ text: String) throws {
    let input = kennel.folder + "/" + name
    try Data(text.utf8).write(to: URL(fileURLWithPath: input))
    let before = try FileManager.default.contentsOfDirectory(atPath: kennel.folder).sorted()
    #expect(kennel.failure("import", kennel.folder + "/new.realm", input).contains("\(name):"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: kennel.folder).sorted() == before)
  }

  @Test func aClassThatARealmLacksIsMadeOnlyIfAsked() throws {
    let input = kennel.folder + "/cats.csv"
    try Data("name,lives\nTom,9\n".utf8).write(to: URL(fileURLWithPath: input))
    let errors = kennel.failure("import", kennel.file, input)
    #expect(errors.contains("there is no class 'cats'"))
    #expect(errors.contains("'--create'"))
    #expect(try kennel.run("import", kennel.file, input, "--create") == "1 objects made, 0 updated\n")
    #expect(try kennel.run("query", kennel.file, "cats", "lives > 8 LIMIT 1", "--count") == "1\n")
  }

  @Test func exportsOfUnknownEndingsAreRefused() {
    let errors = kennel.failure("export", kennel.file, kennel.folder + "/out.xml")
    #expect(errors.contains("known are .json, .csv (a folder), .sqlite, .sqlite3 or .db"))
  }

  @Test func commandsThatReadMakeNothing() throws {
    let before = try FileManager.default.contentsOfDirectory(atPath: kennel.folder).sorted()
    let missing = kennel.folder + "/none/none.realm"
    for words in [
      ["inspect", missing], ["schema", missing], ["query", missing, "Dog"],
      ["export", missing, kennel.folder + "/o.json"],
      ["generate", "swift", missing], ["verify", missing], ["compact", missing],
      ["copy", missing, kennel.folder + "/c"],
      ["diff", missing, missing], ["import", kennel.folder + "/n.realm", missing], ["changeset", "print", missing],
    ] {
      let capture = Capture()
      #expect(RealmTool.command.runSynchronously(words, environment: [:], console: capture.console()) == .failure)
      #expect(capture.errors.contains("there is no file"), "\(words)")
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: kennel.folder).sorted() == before)
  }

  @Test func errorsAreJSONForPrograms() throws {
    #expect(
      kennel.failure("query", kennel.file, "Dgo", "--json")
        == #"{"error":{"code":"unknownClass","message":"the file has no class 'Dgo'; did you mean 'Dog'?","#
        + #""remedy":"use one of Dog, Person"}}"# + "\n")
    #expect(
      kennel.failure("query", kennel.file, "Dog", "age >", "--json").hasPrefix(
        #"{"error":{"code":"badQuery","message":"#))
    #expect(
      kennel.failure("inspect", kennel.folder + "/none", "--json").hasPrefix(#"{"error":{"code":"noSuchFile","#))
    let capture = Capture()
    #expect(RealmTool.command.runSynchronously(["quer", "--json"], console: capture.console()) == .usage)
    #expect(
      capture.errors
        == #"{"error":{"code":"usage","message":"unknown command 'quer'; did you mean 'query'?","#
        + #""remedy":"Try 'realm --help'"}}"# + "\n")
    #expect(capture.output == "")
  }

  @Test func diffPrintsWhatChanged() throws {
    let copy = kennel.folder + "/changed.realm"
    #expect(try kennel.run("copy", kennel.file, copy) == "wrote \(copy)\n")
    do {
      let file = try RealmFile.open(.file(path: copy))
      try file.edit { editor in
        try editor.set(["age": .value(10)], of: ObjectReference(className: "Dog", key: .int(1)))
        try editor.erase(ObjectReference(className: "Dog", key: .int(2)))
        try editor.create(ObjectReference(className: "Dog", key: .int(5)))
      }
    }
    let capture = Capture()
    let code = RealmTool.command.runSynchronously(["diff", kennel.file, copy], console: capture.console())
    #expect(code == .failure)
    #expect(capture.output == "~ Dog[1] age: int(9) -> int(10)\n- Dog[2]\n+ Dog[5]\n")
  }

  @Test func compactGivesSpaceBack() throws {
    #expect(try kennel.run("compact", kennel.file).contains(" now\n"))
    #expect(try kennel.run("query", kennel.file, "Dog", "--count") == "3\n")
  }

  @Test func changesetsArePrinted() throws {
    let path = kennel.folder + "/changeset"
    let changeset = Changeset(
      instructions: [
        .createObject(CreateObject(object: ObjectReference(className: "Dog", key: .int(1)))),
        .update(
          Update(
            target: Target(object: ObjectReference(className: "Dog", key: .int(1)), field: "age"), payload: .int(3))),
      ], origin: ChangesetOrigin(timestamp: OriginTimestamp(0), file: FileIdent(0)))
    let bytes = changeset.encoded()
    let expected = "\(path)\n" + ChangesetText(bytes).description
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    #expect(expected.contains("create Dog[1]\n"))
    #expect(try kennel.run("changeset", "print", path) == expected)
    let digits = bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined(separator: " ")
    try Data(digits.utf8).write(to: URL(fileURLWithPath: path))
    #expect(try kennel.run("changeset", "print", path) == expected)
    try Data([0x3F, 0xFF]).write(to: URL(fileURLWithPath: path))
    #expect(kennel.failure("changeset", "print", path).contains("is no changeset"))
  }

  @Test func modelsAreGenerated() throws {
    #expect(try kennel.run("generate", "swift", kennel.file).contains("@Persisted(primaryKey: true) var id: Int"))
    #expect(try kennel.run("generate", "kotlin", kennel.file).contains("class Dog : RealmObject {"))
  }

  @Test func encryptedFilesAreOpenedWithTheirKey() throws {
    let key = kennel.folder + "/key"
    try Data(String(repeating: "0f", count: 64).utf8).write(to: URL(fileURLWithPath: key))
    let secret = kennel.folder + "/secret.realm"
    #expect(try kennel.run("copy", kennel.file, secret, "--target-key-file", key) == "wrote \(secret)\n")
    #expect(kennel.failure("inspect", secret).hasPrefix("error: cannot open \(secret): "))
    #expect(try kennel.run("query", secret, "Dog", "--count", "--key-file", key) == "3\n")
    #expect(try kennel.run("verify", secret, "--key-file", key).hasPrefix("sound: 4 objects"))
    let again = kennel.folder + "/again.realm"
    #expect(try kennel.run("copy", secret, again, "--key-file", key) == "wrote \(again)\n")
    #expect(try kennel.run("query", again, "Dog", "--count", "--key-file", key) == "3\n")
    let clear = kennel.folder + "/clear.realm"
    #expect(try kennel.run("copy", secret, clear, "--key-file", key, "--decrypt") == "wrote \(clear)\n")
    #expect(try kennel.run("diff", kennel.file, clear) == "")
  }
}
