import ByteCoding
import TestKit
import Testing

@testable import GraphQL

@Suite struct JSONWriterTests {
  @Test("integers are written in decimal", arguments: [0, 1, -1, 9, 10, -10, 99, 1234567890, .max, .min] as [Int64])
  func integers(value: Int64) {
    var writer = JSONWriter()
    writer.write(value)
    #expect(writer.bytes == Array("\(value)".utf8))
  }

  @Test("texts are read back by a JSON parser", arguments: Seeds.some(300))
  func texts(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let text = HostileText.random(using: &random)
    var writer = JSONWriter()
    writer.write(text)
    #expect(try JSONValue(parsing: writer.bytes).string == text)
    var other = JSONWriter()
    other.write(utf8: Array(text.utf8)[...])
    #expect(other.bytes == writer.bytes)
  }

  @Test("numbers that JSON does not have are null", arguments: [Double.nan, .infinity, -.infinity])
  func infinite(value: Double) {
    var writer = JSONWriter()
    writer.write(value)
    #expect(writer.bytes == Array("null".utf8))
  }
}
