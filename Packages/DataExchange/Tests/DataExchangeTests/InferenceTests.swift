import DataExchange
import DataModel
import Foundation
import RecordStore
import SQLiteDatabase
import Testing

@Suite("Classes from values") struct InferenceTests {
  /// The realm that an import of a file into nothing makes.
  private func imported(_ path: String, key: String? = nil, className: String? = nil) throws -> RealmFile {
    let file = try RealmFile.open(.inMemory(name: UUID().uuidString))
    var work = RealmImport(path: path, className: className)
    work.makesClasses = true
    work.primaryKey = key
    _ = try work.run(into: file)
    return file
  }

  private func phrases(_ file: RealmFile, _ className: String) throws -> [String] {
    try file.contents().schema[className]?.properties.map { "\($0.name): \($0.phrase)" } ?? []
  }

  @Test("the documented sample gives string, int and bool")
  func sample() throws {
    let folder = try Folder()
    let path = try folder.write("device,number,flag\r\ngizmo,1,TRUE\r\nwidget,2,FALSE\r\n", "data.csv")
    let file = try imported(path)
    #expect(try phrases(file, "data") == ["device: string", "number: int", "flag: bool"])
    #expect(try file.contents().count(of: "data", matching: "device == 'gizmo' AND number == 1 AND flag == true") == 1)
    #expect(
      try file.contents().count(of: "data", matching: "device == 'widget' AND number == 2 AND flag == false") == 1)
  }

  @Test(
    "a column has the narrowest type that reads all of its values",
    arguments: [
      ("1\n-2\n0", "int"), ("1\n2.5", "double"), ("1\n\n3", "int?"), ("\n\n", "string?"), ("true\nFALSE", "bool"),
      ("true\n1", "string"), ("007\n8", "string"), ("+1", "string"), ("-0", "string"), ("1e5", "double"),
      ("9223372036854775807", "int"), ("9223372036854775808", "string"), ("NaN\n1", "double"),
      ("2026-01-31\n2026-02-01T12:00:00Z", "date"), ("2026-01-31\n2026-02-30", "string"),
      ("2026-01-31 12:00", "string"), ("1.2.3.4", "string"),
      ("0b7a4c1e-3f5d-4c8a-9b1e-2d3c4b5a6978", "uuid"), ("\"\"\n1", "string"), ("1 ", "string"), ("yes\nno", "string"),
    ])
  func types(_ values: String, _ type: String) throws {
    let folder = try Folder()
    let lines = values.split(separator: "\n", omittingEmptySubsequences: false).map { "x,\($0)" }
    let path = try folder.write((["a,b"] + lines).joined(separator: "\n") + "\n", "t.csv")
    #expect(try phrases(imported(path), "t")[1] == "b: \(type)")
  }

  @Test("names that no query could say are made such, and are found again")
  func names() throws {
    let folder = try Folder()
    let path = try folder.write("First Name;1st;;First Name\nAnn;1;2;3\n", "my people (2).csv")
    let file = try imported(path)
    #expect(
      try phrases(file, "my_people__2_") == [
        "First_Name: string", "_1st: int", "column_3: int", "First_Name_2: int",
      ])
    #expect(try RealmImport(path: path).run(into: file).created == 1)
    #expect(try file.contents().count(of: "my_people__2_", matching: "First_Name == 'Ann' AND First_Name_2 == 3") == 2)
  }

  @Test("a key is one of the columns, and imports meet in it")
  func keys() throws {
    let folder = try Folder()
    let path = try folder.write("id,n\n1,a\n2,b\n1,c\n", "t.csv")
    let file = try imported(path, key: "id")
    #expect(try file.contents().schema["t"]?.primaryKey == "id")
    #expect(try file.contents().count(of: "t") == 2)
    let gap = try folder.write("id,n\n1,a\n,b\n", "gap.csv")
    #expect { try imported(gap, key: "id") } throws: { "\($0)".contains("'id' cannot be the key: it is int?") }
    #expect { try imported(path, key: "nr") } throws: { "\($0)".contains("there is no 'nr' to be the key") }
  }

  @Test("members of JSON objects have the type of all their values")
  func json() throws {
    let folder = try Folder()
    let path = try folder.write(
      #"""
      [{"i": 1, "d": 1, "t": "a", "when": "2026-01-31", "l": [1, 2], "m": {"k": [1]}, "n": null, "x": 1},
       {"i": 2, "d": 1.5, "t": "b", "when": "2026-02-01", "l": [], "m": 7, "n": null, "x": "y", "late": true}]
      """#, "things.json")
    let file = try imported(path)
    #expect(
      try phrases(file, "things") == [
        "i: int", "d: double", "t: string", "when: date", "l: list<int>", "m: mixed", "n: mixed", "x: mixed",
        "late: bool?",
      ])
    let byClass = try folder.write(#"{"Dog": [{"name": "Rex"}], "Cat": [{"lives": 9}]}"#, "pets.json")
    let pets = try imported(byClass)
    #expect(try pets.contents().schema.objectSchema.map(\.className) == ["Dog", "Cat"])
    #expect(try pets.contents().count(of: "Cat", matching: "lives == 9") == 1)
  }

  @Test("tables of a database become classes, and foreign keys links")
  func tables() throws {
    let folder = try Folder()
    let path = folder.path + "/music.db"
    do {
      let connection = try SQLiteConnection(path: path)
      try connection.execute(
        """
        CREATE TABLE artist(id INTEGER PRIMARY KEY, name TEXT);
        CREATE TABLE "album data"(id INTEGER PRIMARY KEY, title TEXT, artist INTEGER REFERENCES artist(id),
          live BOOLEAN, released DATE, length REAL, cover BLOB, odd);
        INSERT INTO artist VALUES (1, 'Abba'), (2, 'Blur');
        INSERT INTO "album data" VALUES (7, 'Voulez', 1, 1, '1979-04-23', 41, x'00ff', 'a'), (8, 'Park', 2, 0, NULL, 2.5, NULL, 1);
        """)
    }
    let file = try imported(path)
    #expect(
      try phrases(file, "album_data").suffix(7) == [
        "title: string", "artist: link to artist", "live: bool", "released: date?", "length: double", "cover: data?",
        "odd: string",
      ])
    #expect(try file.contents().schema["artist"]?.primaryKey == "id")
    #expect(try file.contents().count(of: "album_data", matching: "artist.name == 'Abba' AND live == true") == 1)
  }

  @Test(
    "bytes that are no text are refused with their position",
    arguments: [
      ([0x61, 0x2C, 0x62, 0x0A, 0x31, 0x2C, 0xFF], ":2:3: the text is no valid UTF-8"),
      ([0x61, 0x2C, 0x62, 0x0A, 0x31, 0x2C, 0x00], ":2:3: byte 0 is none of a text"),
      ([0x0A, 0x31], ":1:1: the first line is empty"),
    ])
  func bytes(_ bytes: [UInt8], _ message: String) throws {
    let folder = try Folder()
    let path = folder.path + "/random.csv"
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    #expect { try imported(path) } throws: { "\($0)".contains(message) }
  }

  @Test("a format that neither name nor content tells is refused")
  func formats() throws {
    let folder = try Folder()
    let path = try folder.write("hello", "file.xyz")
    #expect { try imported(path) } throws: { "\($0)".contains("known are .json, .csv (a folder), .sqlite") }
    let named = try folder.write("[{\"a\": 1}]", "file.data")
    #expect(try imported(named).contents().count(of: "file") == 1)
    let empty = try RealmFile.open(.inMemory(name: UUID().uuidString))
    #expect { try RealmExport(empty.contents()).write(to: folder.path + "/out.xml") } throws: {
      "\($0)".contains("out.xml: its ending names no format")
    }
  }

  @Test("an import whose progress throws writes nothing")
  func interruption() throws {
    struct Stop: Error {}
    let folder = try Folder()
    let path = try folder.write("a\n1\n2\n3\n", "t.csv")
    let file = try RealmFile.open(.inMemory(name: UUID().uuidString))
    var work = RealmImport(path: path)
    work.makesClasses = true
    #expect(throws: Stop.self) {
      try work.run(into: file) { if $0.phase == .writing, $0.count == 2 { throw Stop() } }
    }
    #expect(try file.contents().schema.objectSchema.isEmpty)
  }

  @Test("progress counts every object of each part, up to the whole")
  func progress() throws {
    let folder = try Folder()
    let path = try folder.write("a,b\n1,x\n2,y\n3,z\n", "t.csv")
    let file = try RealmFile.open(.inMemory(name: UUID().uuidString))
    var work = RealmImport(path: path)
    work.makesClasses = true
    var seen: [ExchangeProgress] = []
    _ = try work.run(into: file) { seen.append($0) }
    #expect(seen.map(\.count) == [1, 2, 3, 1, 2, 3])
    #expect(seen.map(\.phase.rawValue) == ["inferring", "inferring", "inferring", "writing", "writing", "writing"])
    #expect(seen.last?.share == 1)
  }
}
