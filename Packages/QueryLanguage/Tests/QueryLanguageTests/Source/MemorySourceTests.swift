import DataModel
import QueryLanguage
import Testing

@Suite("MemorySource") struct MemorySourceTests {
  @Test("finds the row of an added object by its key") func findsRowByKey() throws {
    let schema = Schema([
      ObjectSchema(className: "Person", primaryKey: "id", properties: [Property(name: "id", type: .int)])
    ])
    let source = MemorySource(schema: schema)
    source.add("Person", ["id": 7])
    let row = source.add("Person", ["id": 9])
    #expect(source.memoryTable("Person")?.row(forKey: .int(9)) == row)
    #expect(source.memoryTable("Person")?.row(forKey: .int(8)) == nil)
  }
}
