import DataModel
import Foundation
import TestKit
import Testing

@Suite("Decimal128 as another implementation has it") struct DecimalVectorTests {
  /// Cases of operation, operands and result; see Tests/Vectors/decimal128/generate.py. More with DECIMAL_VECTORS.
  private static func cases() throws -> [[String]] {
    try RepositoryFiles.vectors("decimal128", variable: "DECIMAL_VECTORS").flatMap {
      try JSONDecoder().decode([[String]].self, from: Data(contentsOf: $0))
    }
  }

  @Test("parses, calculates, compares and converts to the same digits and exponent") func vectors() throws {
    let cases = try Self.cases()
    #expect(cases.count > 8000)
    var wrong = 0
    for it in cases where it.count == 4 {
      let left = try #require(Decimal128(validating: it[1]), "\(it)")
      let right = Decimal128(validating: it[2]) ?? Decimal128()
      let result =
        switch it[0] {
        case "parse": left.description
        case "+": (left + right).description
        case "-": (left - right).description
        case "*": (left * right).description
        case "/": (left / right).description
        case "?": "\(left.compare(right))"
        default: left.doubleValue == Double(it[3]) ? it[3] : "\(left.doubleValue)"
        }
      if result != it[3] {
        wrong += 1
        if wrong < 20 { Issue.record("\(it[1]) \(it[0]) \(it[2]) is \(it[3]), not \(result)") }
      }
    }
    #expect(wrong == 0)
  }

  @Test("equality, order and hash agree, and text round-trips the representation") func agreement() throws {
    var seen: [Decimal128: String] = [:]
    for it in try Self.cases() where it[0] == "?" {
      let (left, right) = (try Decimal128(string: it[1]), try Decimal128(string: it[2]))
      #expect((left == right) == (it[3] == "0"))
      #expect((left < right) == (it[3] == "-1"))
      if left == right { #expect(left.hashValue == right.hashValue) }
      for value in [left, right] {
        #expect(Decimal128(validating: value.description)?.isIdentical(to: value) == true)
        if let other = seen[value] { #expect(try Decimal128(string: other).compare(value) == 0) }
        seen[value] = value.description
      }
    }
    #expect(Set<Decimal128>(["1", "1.0", "1.00", "10E-1", "nan", "nan"] as [Decimal128]).count == 2)
  }

  @Test("conforms to Swift's protocols of numbers") func protocols() throws {
    let price: Decimal128 = 19.90
    #expect(price.description == "19.9")
    #expect((price * 3).description == "59.7")
    #expect(-price < price)
    var sum: Decimal128 = 1
    sum += "0.5"
    sum -= 2
    sum *= 4
    sum /= -1
    #expect(sum == 2)
    #expect(sum.magnitude == 2)
    #expect((-sum).magnitude == 2)
    #expect(abs(-sum) == 2)
    #expect(Array(stride(from: Decimal128(1), to: 2, by: 0.25)) == [1, 1.25, 1.5, 1.75])
    #expect(Decimal128(exactly: UInt64.max)?.description == "18446744073709551615")
    #expect(Decimal128(exactly: UInt128.max) == nil)
    #expect(Decimal128(exactly: Int8(-5)) == -5)
    #expect(Decimal128.max.description == "9.999999999999999999999999999999999E+6144")
    #expect(Decimal128.min == -Decimal128.max)
    #expect([3, 1, 2].map { Decimal128($0) }.sorted() == [1, 2, 3])
    #expect(Decimal128() == 0)
    #expect(("x" as Decimal128).isNaN)
    let coded = try JSONEncoder().encode(["1.50" as Decimal128])
    #expect(String(decoding: coded, as: UTF8.self) == #"["1.5"]"#)
    let decoded = try JSONDecoder().decode([Decimal128].self, from: Data(#"["1.50", 3, 2.5]"#.utf8))
    #expect(decoded == [1.5, 3, 2.5])
    #expect(throws: DecodingError.self) { try JSONDecoder().decode([Decimal128].self, from: Data(#"["x"]"#.utf8)) }
  }

  @Test("the string value is RealmSwift's text") func stringValues() {
    let table: [(Decimal128, String)] = [
      ("1234567890e123", "1.23456789E132"), ("1.5e2", "1.5E2"), ("11.111110", "11.11111"), ("-1.0", "-1"),
      ("100", "100"),
      ("0.001", "1E-3"), ("0.00", "0"), ("1.23e6", "1.23E6"), ("3.14159", "3.14159"), ("inf", "Inf"), ("-inf", "-Inf"),
      (.nan, "NaN"), ("1e40", "1E40"),
    ]
    for (number, text) in table {
      #expect(number.stringValue == text)
      #expect(number.isNaN || Decimal128(validating: text) == number)
    }
  }

  @Test("an ObjectId is its 24 digits") func objectIds() throws {
    let id = ObjectId("0123456789abcdef01234567")
    #expect(id.stringValue == "0123456789abcdef01234567")
    #expect(ObjectId() == .zero)
    #expect(ObjectId() < id)
    let coded = try JSONEncoder().encode([id])
    #expect(String(decoding: coded, as: UTF8.self) == #"["0123456789abcdef01234567"]"#)
    #expect(try JSONDecoder().decode([ObjectId].self, from: coded) == [id])
    #expect(throws: (any Error).self) { try JSONDecoder().decode([ObjectId].self, from: Data(#"["zz"]"#.utf8)) }
  }
}
