import Testing

@testable import StorageEngine

@Suite struct RootRecordsTests {
  @Test("decoded records are shared with an earlier version exactly where they are equal")
  func same() throws {
    let (five, six) = (RootRecords(["x": 5, "name": 2], version: 3), RootRecords(["x": 6, "name": 2], version: 4))
    func read(_ records: RootRecords, earlier: RootRecords?) throws -> RootRecords {
      try records.content.withUnsafeBytes { bytes in
        var reader = NodeReader(bytes, node: 0)
        let found = try RootRecords(&reader, version: 9, earlier: earlier)
        try reader.finish()
        return found
      }
    }
    let known = try read(five, earlier: five)
    #expect(known.version == 3)
    #expect(known.nodes == five.nodes)
    let changed = try read(five, earlier: six)
    #expect(changed.version == 9)
    #expect(changed.nodes == five.nodes)
    #expect(changed.content == five.content)
    #expect(try read(six, earlier: nil).version == 9)
  }
}
