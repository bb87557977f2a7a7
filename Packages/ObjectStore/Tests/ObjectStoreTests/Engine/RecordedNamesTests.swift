import ChangesetOT
import StorageEngine
import TestKit
import Testing

@testable import ObjectStore
@testable import RecordStore

@Suite("names in a recorded changeset")
struct RecordedNamesTests {
  /// A class of which the columns have the numbers that those of others have.
  private func layout(_ name: String, _ table: Int, fields: Int) -> ClassLayout {
    ClassLayout(
      name: name, table: TableID(table), kind: .topLevel, key: nil,
      fields: (0..<fields).map {
        FieldLayout(name: "\(name)\($0)", column: ColumnID($0), type: .int, collection: .single, isNullable: false)
      })
  }

  @Test("in any order, of few fields or of more than are remembered, every name is the one that its text has")
  func names() {
    let classes = [layout("A", 1, fields: 3), layout("B", 2, fields: 9), layout("C", 3, fields: 50)]
    for seed in Seeds.some(20) {
      var random = SeededGenerator(seed: seed)
      var writer = ChangesetWriter()
      var names = RecordedNames()
      for _ in 0..<60 {
        let layout = classes[Int.random(in: 0..<classes.count, using: &random)]
        let table = names.name(of: layout, in: &writer)
        #expect(table == writer.intern(layout.name), "SEED=\(seed)")
        let fields = random.oneIn(3) ? layout.fields.shuffled(using: &random) : layout.fields
        for field in fields.prefix(Int.random(in: 0...fields.count, using: &random)) {
          let name = names.name(of: field, in: layout, &writer)
          #expect(name == writer.intern(field.name), "SEED=\(seed)")
        }
      }
    }
  }
}
