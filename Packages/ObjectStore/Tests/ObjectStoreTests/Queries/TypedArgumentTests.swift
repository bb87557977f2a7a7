import DataModel
import Foundation
import QueryLanguage
import Testing

@testable import ObjectStore
@testable import RecordStore

/// Arrays of one type as arguments: what is taken from them at once is what would be taken element by element.
@Suite("Arrays as arguments of queries") struct TypedArgumentTests {
  @Test("hold the same values as their elements one by one") func elements() {
    func check<Element>(_ array: [Element], _ values: [Value], line: Int = #line) {
      #expect(QueryArgument(literal: array) == .list(values), "line \(line)")
      #expect(QueryArgument(literal: array.map { $0 as Any }) == .list(values), "line \(line)")
      #expect(QueryArgument(literal: [Element]()) == .list([]), "line \(line)")
    }
    let (id, uuid) = (ObjectId("0123456789abcdef01234567"), UUID())
    let date = Date(timeIntervalSince1970: 1.5)
    check(["a", "", "é"], [.string("a"), .string(""), .string("é")])
    check([1, -2, Int.max], [.int(1), .int(-2), .int(.max)])
    check([Int64.min, 7], [.int(.min), .int(7)])
    check([Int8(-3)], [.int(-3)])
    check([1.5, -0.0, .infinity], [.double(1.5), .double(-0.0), .double(.infinity)])
    check([Float(0.25)], [.float(0.25)])
    check([true, false], [.bool(true), .bool(false)])
    check([id, .zero], [.objectId(id), .objectId(.zero)])
    check([uuid], [.uuid(uuid)])
    check([date], [.timestamp(Timestamp(date))])
    check([1, nil] as [Int?], [.int(1), .null])
  }
}
