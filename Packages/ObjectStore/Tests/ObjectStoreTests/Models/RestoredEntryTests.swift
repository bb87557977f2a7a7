import ChangesetOT
import DataModel
import Testing

@testable import ObjectStore
@testable import RecordStore

@Suite("clearing what was removed")
struct RestoredEntryTests {
  @Test("a clear that comes after the removal of its dictionary key brings the key back")
  func clears() throws {
    let file = try memoryFile()
    let object = ObjectReference(className: "C", key: .int(1))
    func at(_ field: String, _ path: PathElement...) -> Target { Target(object: object, field: field, path: path) }
    try file.commit([
      .addTable(AddTable(table: "C", primaryKey: PrimaryKeyColumn(field: "_id", type: .int))),
      .addColumn(AddColumn(table: "C", field: "map", type: nil, isNullable: true, collection: .dictionary)),
      .addColumn(AddColumn(table: "C", field: "any", type: nil, isNullable: true)),
      .createObject(CreateObject(object: object)),
      .update(Update(target: at("any"), payload: .dictionary)),
    ])
    try file.commit([
      .clear(Clear(target: at("map", .name("k")), collection: .list)),
      .clear(Clear(target: at("any", .name("j")), collection: .dictionary)),
      .clear(Clear(target: at("any", .name("j"), .name("i")), collection: .list)),
    ])
    let fields = try #require(try file.dump().objects["C"]?[.int(1)])
    #expect(fields["map"] == .dictionary(["k": .value(.list([]))]))
    #expect(fields["any"] == .value(.dictionary(["j": .dictionary(["i": .list([])])])))
  }
}
