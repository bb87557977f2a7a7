import Foundation
import ObjectStore
import SQLiteDatabase
import TestKit

/// The objects that the store benchmarks work on: seven fields, one of them the key, one a link.
final class Person: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name: String
  @Persisted var age: Int
  @Persisted var score: Double
  @Persisted var created: Date
  @Persisted var active: Bool
  @Persisted var friend: Person?
}

/// The values of one person, the same for us and for the rival.
struct PersonValues {
  var id: Int
  var name: String
  var age: Int
  var score: Double
  var created: Date
  var active: Bool
  /// An earlier person; nil for the first.
  var friend: Int?

  /// The values of `count` people, with ids from 0.
  static func make(_ count: Int, from first: Int = 0) -> [PersonValues] {
    var random = SeededGenerator(seed: 42)
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
    return (first..<first + count).map { id in
      let letter = letters[Int.random(in: 0..<letters.count, using: &random)]
      return PersonValues(
        id: id, name: "\(letter)person-" + String(format: "%08d", id), age: Int.random(in: 0..<100, using: &random),
        score: Double.random(in: 0..<1000, using: &random),
        created: Date(timeIntervalSince1970: 1_700_000_000 + Double(id)),
        active: random.oneIn(2), friend: id == 0 ? nil : Int.random(in: 0..<id, using: &random))
    }
  }
}

extension Person {
  /// A person with these values, in no realm and without a friend.
  convenience init(_ values: PersonValues) {
    self.init()
    id = values.id
    name = values.name
    age = values.age
    score = values.score
    created = values.created
    active = values.active
  }
}

extension Realm {
  /// Adds people, with their friends, to those that are there already under their ids.
  func add(_ people: some Sequence<PersonValues>, to added: inout [Person]) {
    for values in people {
      let person = Person(values)
      person.friend = values.friend.map { added[$0] }
      add(person)
      added.append(person)
    }
  }
}

/// The rival: SQLite with one row per object, prepared statements, and an index on the link column.
final class PeopleTable {
  let connection: SQLiteConnection
  private let insertion: SQLiteStatement
  private let scoreByID: SQLiteStatement

  init(path: String) throws {
    connection = try SQLiteConnection(path: path)
    _ = try connection.text("PRAGMA journal_mode=WAL")
    // SQLite's defaults, which connections of ours change.
    try connection.execute("PRAGMA synchronous=FULL; PRAGMA wal_autocheckpoint=1000")
    try connection.execute(
      """
      CREATE TABLE person(id INTEGER PRIMARY KEY, name TEXT NOT NULL, age INTEGER NOT NULL, score REAL NOT NULL,
        created REAL NOT NULL, active INTEGER NOT NULL, friend INTEGER)
      """)
    try connection.execute("CREATE INDEX person_friend ON person(friend)")
    insertion = try connection.prepare("INSERT INTO person VALUES(?,?,?,?,?,?,?)")
    scoreByID = try connection.prepare("SELECT age FROM person WHERE id=?")
  }

  func insert(_ person: PersonValues) throws {
    insertion.reset()
    try insertion.bind(1, Int64(person.id))
    try insertion.bind(2, person.name)
    try insertion.bind(3, Int64(person.age))
    try insertion.bind(4, person.score)
    try insertion.bind(5, person.created.timeIntervalSince1970)
    try insertion.bind(6, person.active ? 1 as Int64 : 0)
    if let friend = person.friend { try insertion.bind(7, Int64(friend)) } else { try insertion.bindNull(7) }
    _ = try insertion.step()
    insertion.reset()
  }

  func age(of id: Int) throws -> Int {
    scoreByID.reset()
    try scoreByID.bind(1, Int64(id))
    defer { scoreByID.reset() }
    return try scoreByID.step() ? Int(scoreByID.int(at: 0)) : 0
  }
}
