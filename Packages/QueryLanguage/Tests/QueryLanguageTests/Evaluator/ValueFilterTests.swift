import DataModel
import QueryLanguage
import Testing

/// Queries about plain values, which are called `SELF`.
@Suite("Filters of plain values") struct ValueFilterTests {
  private func positions(
    _ text: String, _ arguments: [QueryArgument] = [], in values: [Value], type: PropertyType = .int
  ) throws -> [Int] {
    let query = try ParsedQuery(valueFormat: text, arguments: arguments)
    return try ValueFilter(query.bound(to: arguments).predicate, type: type).positions(in: values)
  }

  @Test("find the positions of values, whatever the letter case of SELF") func find() throws {
    let values: [Value] = [.int(5), .int(2), .int(9), .null]
    #expect(try positions("SELF > %@ AND SELF < 9", [3], in: values) == [0])
    #expect(try positions("self IN %@ OR Self == nil", [[2, 9]], in: values) == [1, 2, 3])
    #expect(try positions("%K BETWEEN {2, 5}", ["self"], in: values) == [0, 1])
    #expect(try ParsedQuery(valueFormat: "SELF BETWEEN %@", arguments: [[1, 5]]).description == "self BETWEEN $0")
    let words: [Value] = [.string("Ada"), .string("bob"), .string("Éva")]
    #expect(try positions("sElF BEGINSWITH[cd] 'e'", in: words, type: .string) == [2])
    #expect(try positions("SELF == 3", in: [.string("3"), .double(3), .int(3), .null], type: .any) == [1, 2])
  }

  @Test("find nothing wrong beyond one cluster of values") func many() throws {
    let values = (0..<600).map { Value.int($0) }
    #expect(try positions("SELF >= 255 AND SELF <= 257 OR SELF > 597", in: values) == [255, 256, 257, 598, 599])
    #expect(try positions("SELF == 0", in: []).isEmpty)
  }

  @Test("refuse every other name, and values of another type") func refuse() {
    #expect(throws: QueryError.self) { try positions("age > 3", in: []) }
    #expect(throws: QueryError.self) { try positions("SELF.age > 3", in: []) }
    #expect(throws: QueryError.self) { try positions("SELF == 'x'", in: []) }
    #expect(throws: QueryError.self) { try ParsedQuery(format: "SELF > 3") }
  }
}
