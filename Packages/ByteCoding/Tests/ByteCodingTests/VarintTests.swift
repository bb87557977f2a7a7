import ByteCoding
import Testing

@Suite("Variable-length integers") struct VarintTests {
  @Test(
    "signed integers have the documented bytes",
    arguments: [
      (0, "00"), (1, "01"), (63, "3F"), (64, "C0 00"), (127, "FF 00"), (128, "80 01"), (300, "AC 02"),
      (8191, "FF 3F"), (8192, "80 C0 00"), (2_147_483_648, "80 80 80 80 08"),
      (Int64.max, "FF FF FF FF FF FF FF FF FF 00"), (-1, "40"), (-2, "41"), (-64, "7F"), (-65, "C0 40"),
      (-129, "80 41"), (Int64.min, "FF FF FF FF FF FF FF FF FF 40"),
    ] as [(Int64, String)])
  func knownBytes(value: Int64, hex: String) throws {
    var writer = ByteWriter()
    writer.writeVarint(value)
    #expect(writer.bytes == hexBytes(hex))
    var reader = ByteReader(writer.bytes)
    #expect(try reader.readVarint(Int64.self) == value)
    #expect(reader.isAtEnd)
  }

  @Test("random integers of every width come back")
  func roundTrip() throws {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<20_000 {
      let shift = Int.random(in: 0..<64, using: &random)
      let signed = Int64.random(in: .min ... .max, using: &random) >> Int64(shift)
      let unsigned = UInt64.random(in: .min ... .max, using: &random) >> UInt64(shift)
      var writer = ByteWriter()
      writer.writeVarint(signed)
      writer.writeVarint(unsigned)
      var reader = ByteReader(writer.bytes)
      #expect(try reader.readVarint(Int64.self) == signed)
      #expect(try reader.readVarint(UInt64.self) == unsigned)
    }
  }

  @Test("longer than shortest forms are accepted")
  func longForms() throws {
    var reader = ByteReader([0x80, 0x00])
    #expect(try reader.readVarint(Int64.self) == 0)
  }

  @Test(
    "values that do not fit are refused with their position",
    arguments: [
      "40",  // a sign on an unsigned target
      "80 80 80 80 20",  // 2^33
      "80 80 80 80 80 80 80 80 80 80 00",
    ])
  func refused(hex: String) throws {
    let bytes = try #require(hexBytes("07" + hex))
    var reader = ByteReader(bytes)
    _ = try reader.readByte()
    #expect(throws: ByteDecodingError.integerOutOfRange(at: 1)) { _ = try reader.readVarint(UInt32.self) }
    #expect(reader.position == 1)
  }

  @Test("every truncation is reported, none traps")
  func truncation() throws {
    var writer = ByteWriter()
    writer.writeVarint(Int64.min)
    writer.writeString("grün")
    for length in 0..<writer.count {
      var reader = ByteReader(Array(writer.bytes.prefix(length)))
      #expect(throws: ByteDecodingError.self) {
        _ = try reader.readVarint(Int64.self)
        _ = try reader.readString()
      }
    }
  }

  @Test("random bytes never trap")
  func fuzz() {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<20_000 {
      let bytes = (0..<Int.random(in: 0...24, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
      var reader = ByteReader(bytes)
      let before = reader.position
      if let value = try? reader.readVarint(Int64.self) {
        var writer = ByteWriter()
        writer.writeVarint(value)
        #expect(writer.count <= reader.position - before)
      }
      _ = try? reader.readString()
      #expect(reader.position <= bytes.count)
    }
  }
}
