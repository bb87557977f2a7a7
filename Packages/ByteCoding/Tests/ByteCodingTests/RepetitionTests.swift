import ByteCoding
import Testing

@Suite struct RepetitionTests {
  @Test("bytes that come again are passed, others and those that end too early are not")
  func repetitions() throws {
    let all: [UInt8] = [9, 9, 1, 2, 3, 1, 2, 3, 1, 2, 4, 1, 2]
    var reader = ByteReader(all[2...])
    _ = try reader.readSlice(3)
    let first = 0..<3
    #expect(reader.skipRepetition(of: first) && reader.position == 6)
    #expect(!reader.skipRepetition(of: first) && reader.position == 6)
    #expect(reader.skipRepetition(of: 0..<2) && reader.position == 8)
    _ = try reader.readByte()
    #expect(!reader.skipRepetition(of: first) && reader.position == 9)
    #expect(reader.skipRepetition(of: 0..<2) && reader.isAtEnd)
  }

  @Test("what was not read yet is no repetition")
  func ahead() throws {
    var reader = ByteReader([7, 7, 7, 7])
    #expect(!reader.skipRepetition(of: 0..<2) && reader.position == 0)
    _ = try reader.readByte()
    #expect(!reader.skipRepetition(of: 0..<2) && !reader.skipRepetition(of: -1..<0))
    #expect(reader.skipRepetition(of: 0..<1) && reader.position == 2)
  }
}
