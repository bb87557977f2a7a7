import AdapterKit
import ChangesetOT
import DataModel
import Foundation
import RecordStore
import TestKit
import Testing

@testable import PostgresConnector

@Suite("what others changed")
struct OthersChangesTests {
  private static let names = ["a", "b", "c"]
  private static let layout = ObjectSchema(
    className: "Item", primaryKey: "id",
    properties: [Property(name: "id", type: .int)] + names.map { Property(name: $0, type: .int) })

  @Test("read bit by bit it is what the history tells, from every base on", arguments: 1...40)
  func law(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let file = try RealmFile.open(.inMemory(name: "others \(UUID().uuidString)"))
    let history = try ServerHistory(file, random: &random)
    try file.edit { try $0.addClasses(Schema([Self.layout])) }
    func adapter() throws -> RealmAdapter { try RealmAdapter("a", of: "/shop", history, from: .newest) }
    let changes = OthersChanges()
    let objects = (1...5).map { ObjectReference(className: "Item", key: .int($0)) }
    var made: Set<ObjectReference> = []
    var known: [(version: ServerVersion, object: ObjectReference, property: String?)] = []
    _ = try adapter()
    for number in 1...120 {
      let object = objects[Int.random(in: 0..<5, using: &random)]
      let name = Self.names[Int.random(in: 0..<3, using: &random)]
      let isThere = made.contains(object)
      switch Int.random(in: 0..<10, using: &random) {
      case 0 where isThere:
        _ = try file.edit { try $0.erase(object) }
        made.remove(object)
        known.append((try adapter().present().position.version, object, nil))
      case 1...5 where isThere:
        try file.edit { try $0.set([name: .value(.int(Int64(number)))], of: object) }
        known.append((try adapter().present().position.version, object, name))
      case 6 where isThere:
        let own = try adapter()
        try own.write(
          [.set(object, values: [name: .value(.int(Int64(-number)))])], number: UInt64(number),
          base: try own.present().position.version, time: OriginTimestamp(UInt64(number)))
      case 7:
        var adapter = try adapter()
        try adapter.advance(to: try adapter.present().position)
      case 8:
        let adapter = try adapter()
        let base = try adapter.storedPosition()
        try changes.read(adapter, since: base)
        for object in objects {
          let later = known.filter { $0.object == object && $0.version > base }
          #expect(changes.touch(object, nil, after: base) == !later.isEmpty)
          for name in Self.names {
            let isTouched = later.contains { $0.property == nil || $0.property == name }
            #expect(changes.touch(object, name, after: base) == isTouched)
          }
        }
      default:
        guard !isThere else { continue }
        _ = try file.edit { try $0.create(object) }
        made.insert(object)
        known.append((try adapter().present().position.version, object, nil))
      }
    }
  }
}
