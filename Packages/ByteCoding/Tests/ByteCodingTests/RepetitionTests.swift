import ByteCoding
import Testing

@Suite("Reading without copies") struct RepetitionTests {
  @Test("bytes that come again are passed, others and those that end too early are not")
  func repetitions() throws {
    let all: [UInt8] = [9, 9, 1, 2, 3, 1, 2, 3, 1, 2, 4, 1, 2]
    var reader = ByteReader(all[2...])
    _ = try reader.readSlice(3)
    let first = 0..<3
    #expect(reader.skipRepetition(of: first) == true)
    #expect(reader.position == 6)
    #expect(reader.skipRepetition(of: first) == false)
    #expect(reader.position == 6)
    #expect(reader.skipRepetition(of: 0..<2) == true)
    #expect(reader.position == 8)
    _ = try reader.readByte()
    #expect(reader.skipRepetition(of: first) == false)
    #expect(reader.position == 9)
    #expect(reader.skipRepetition(of: 0..<2) == true)
    #expect(reader.isAtEnd)
  }

  @Test("bytes ahead of the reader are no repetition")
  func ahead() throws {
    var reader = ByteReader([7, 7, 7, 7])
    #expect(reader.skipRepetition(of: 0..<2) == false)
    #expect(reader.position == 0)
    _ = try reader.readByte()
    #expect(reader.skipRepetition(of: 0..<2) == false)
    #expect(reader.skipRepetition(of: -1..<0) == false)
    #expect(reader.skipRepetition(of: 0..<1) == true)
    #expect(reader.position == 2)
  }

  @Test("bytes that are expected are passed, others and those that end too early are not")
  func expected() throws {
    var reader = ByteReader([9, 1, 2, 3, 1, 2][1...])
    let others: [UInt8] = [7, 1, 2, 3]
    for part in [0..<2, 2..<5, -1..<1] { #expect(reader.skip(part, of: others) == false, "\(part)") }
    #expect(reader.skip(1..<4, of: others) == true)
    #expect(reader.position == 3)
    #expect(reader.skip(1..<4, of: others) == false)
    #expect(reader.skip(0..<0, of: []) == true)
    #expect(reader.position == 3)
    reader.goBack(to: 4)
    #expect(reader.position == 3)
    reader.goBack(to: 1)
    #expect(try reader.readByte() == 2)
    reader.goBack(to: -1)
    #expect(reader.position == 0)
  }

  @Test("a passed string is found at its positions, and refused with the error of reading it")
  func passed() throws {
    let texts = ["", "plain", "plain, and longer than eight", "höher", "ü"]
    var bytes: [UInt8] = []
    for text in texts { bytes += [UInt8(text.utf8.count)] + text.utf8 }
    var reader = ByteReader(([1, 2] + bytes)[2...])
    for text in texts {
      let positions = try reader.passString()
      #expect(reader.withBytes(at: positions) { String(decoding: $0, as: UTF8.self) } == text)
    }
    #expect(reader.isAtEnd)
    #expect(reader.withBytes(at: 0..<bytes.count + 1) { $0.count } == 0)
    for broken: [UInt8] in [[1, 0xFF], [2, 0x41], [3, 0x41, 0xC3, 0x41], [0x80, 0x80], []] {
      var (passing, reading) = (ByteReader(broken), ByteReader(broken))
      let error = #expect(throws: ByteDecodingError.self) { try passing.passString() }
      #expect(error == #expect(throws: ByteDecodingError.self) { try reading.readString() })
      #expect(passing.position == 0)
    }
    var long = ByteReader([3, 1, 2, 3])
    #expect(throws: ByteDecodingError.lengthTooLarge(3, limit: 2, at: 0)) { try long.passBytes(limit: 2) }
    #expect(try long.passBytes(limit: 3) == 1..<4)
  }
}
