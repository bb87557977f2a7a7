import ByteCoding
import Testing

@Suite("JSON values")
struct JSONValueTests {
  @Test(
    "a document that is read and written keeps its text",
    arguments: [
      "null", "true", "[]", "{}", "-0", "1.50", "1e-7", #"{"b":1,"a":[false,"x"]}"#, #""\u0001\"\\""#,
      #"{"a":1,"a":2}"#,
    ])
  func roundTrip(text: String) throws {
    #expect(try JSONValue(parsing: text).text == text)
  }

  @Test(
    "a text that is no JSON is refused at its first fault",
    arguments: [
      ("", 0), ("nul", 3), ("01", 1), ("1.", 2), ("[1,]", 3), (#"{"a"}"#, 4), ("[1] 2", 4), ("\"\u{01}\"", 2),
      (#""\ud800""#, 7), ("+1", 0),
    ])
  func refused(text: String, position: Int) {
    let error = #expect(throws: JSONError.self) { try JSONValue(parsing: text) }
    #expect(error?.position == position)
  }

  @Test("values lie at most 64 levels deep")
  func depth() throws {
    func nested(_ depth: Int) -> String {
      String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
    _ = try JSONValue(parsing: nested(64))
    let error = #expect(throws: JSONError.self) { try JSONValue(parsing: nested(65)) }
    #expect(error?.position == 64)
  }

  @Test("surrogate pairs are one character, and the last of equal names counts")
  func access() throws {
    #expect(try JSONValue(parsing: #""\ud83d\ude00""#).string == "\u{1F600}")
    #expect(try JSONValue(parsing: #"{"a":1,"a":2}"#)["a"]?.unsignedInteger == 2)
  }

  @Test("integers are numbers without fraction and exponent that fit")
  func integers() throws {
    #expect(try JSONValue(parsing: "-5").integer == -5)
    #expect(try JSONValue(parsing: "-5").unsignedInteger == nil)
    #expect(try JSONValue(parsing: "18446744073709551615").unsignedInteger == .max)
    #expect(try JSONValue(parsing: "18446744073709551615").integer == nil)
    #expect(try JSONValue(parsing: "1.0").integer == nil)
  }
}
