import DataModel
import Testing

@Suite("Decimal128") struct Decimal128Tests {
  @Test(
    "keeps digits and exponent through text",
    arguments: [
      "0", "7", "7.25", "7.250", "-3.75", "0.1", "0.001", "123456789.125", "1E+40", "1.5E-30", "-0", "0.00",
      "1234567890123456789012345678901234", "9.999999999999999999999999999999999E+6144", "1E-6176", "NaN", "Infinity",
      "-Infinity",
    ])
  func textRoundTrip(text: String) throws { #expect(try Decimal128(string: text).description == text) }

  @Test("refuses a text that is no number", arguments: ["", "-", ".", "1x", "1e", "1.2.3", "e5", "--1", "0x10"])
  func refuses(text: String) throws {
    #expect(Decimal128(validating: text) == nil)
    #expect(try Decimal128(string: text).isNaN)
  }

  @Test("rounds the 35th digit half to even") func rounding() throws {
    let down = try Decimal128(string: "12345678901234567890123456789012345").description
    #expect(down == "1.234567890123456789012345678901234E+34")
    let up = try Decimal128(string: "12345678901234567890123456789012355").description
    #expect(up == "1.234567890123456789012345678901236E+34")
    let more = try Decimal128(string: "12345678901234567890123456789012345000000000001").description
    #expect(more == "1.234567890123456789012345678901235E+46")
  }

  @Test(
    "orders by value",
    arguments: [
      ("1.0", "1.00", 0), ("7.25", "7.250", 0), ("-1", "1", -1), ("0", "-0", 0), ("1E+6000", "2", 1),
      ("1E-6000", "0", 1), ("NaN", "-Infinity", -1), ("NaN", "NaN", 0), ("Infinity", "9E+6144", 1), ("-2", "-1", -1),
      ("9", "10", -1), ("0.1", "0.09", 1),
    ])
  func order(left: String, right: String, expected: Int) throws {
    #expect(try Decimal128(string: left).compare(Decimal128(string: right)) == expected)
    #expect(try Decimal128(string: right).compare(Decimal128(string: left)) == -expected)
  }

  @Test(
    "calculates like paper",
    arguments: [
      ("7.25", "+", "1", "8.25"), ("1E+40", "+", "1", "1.000000000000000000000000000000000E+40"),
      ("0.1", "+", "0.2", "0.3"), ("1", "-", "0.9", "0.1"), ("1.50", "*", "2", "3.00"), ("10", "/", "4", "2.5"),
      ("1", "/", "3", "0.3333333333333333333333333333333333"), ("2", "/", "3", "0.6666666666666666666666666666666667"),
      ("1", "/", "0", "Infinity"), ("-1", "/", "0", "-Infinity"), ("0", "/", "0", "NaN"),
      (
        "9999999999999999999999999999999999", "*", "9999999999999999999999999999999999",
        "9.999999999999999999999999999999998E+67"
      ),
      ("1E+6144", "*", "10", "Infinity"), ("1000", "/", "10", "100"), ("5", "-", "5", "0"),
      ("1E+34", "-", "1E-10", "9999999999999999999999999999999999.9999999999"),
    ])
  func arithmetic(left: String, sign: String, right: String, expected: String) throws {
    let a = try Decimal128(string: left)
    let b = try Decimal128(string: right)
    let result = sign == "+" ? a + b : sign == "-" ? a - b : sign == "*" ? a * b : a / b
    #expect(result.compare(try Decimal128(string: expected)) == 0, "\(result)")
  }

  @Test("takes 15 digits of a double and 7 of a float") func fromBinary() {
    #expect(Decimal128(0.1).description == "0.1")
    #expect(Decimal128(1.0 / 3).description == "0.333333333333333")
    #expect(Decimal128(Float(1.0 / 3)).description == "0.3333333")
    #expect(Decimal128(24.0).description == "24")
  }
}

@Suite("Order of values") struct ValueOrderTests {
  @Test("is null, bools, numbers, strings, binaries, dates") func kinds() {
    let ascending: [Value] = [
      nil, false, true, .double(.nan), .double(-.infinity), -1, .decimal128(Decimal128(0)), .float(0.5), 1, "", "a",
      .data([]), .timestamp(Timestamp(seconds: 0)), .objectId(.zero),
      .link(ObjectReference(className: "A", key: .int(1))),
    ]
    for (position, left) in ascending.enumerated() {
      for (other, right) in ascending.enumerated() {
        #expect(left.compareInSortOrder(right).signum() == (position - other).signum(), "\(left) \(right)")
      }
    }
  }

  @Test("compares integers with doubles without rounding") func exact() {
    #expect(Value.int(9_007_199_254_740_993).compareNumerically(.double(9_007_199_254_740_992)) == 1)
    #expect(Value.int(.max).compareNumerically(.double(0x1p63)) == -1)
    #expect(Value.double(2.5).compareNumerically(2) == 1)
    #expect(Value.double(-2.5).compareNumerically(-2) == -1)
  }
}
