import TestKit
import Testing

@testable import PostgresConnector

@Suite("rows of lists")
struct ListRowsTests {
  private typealias Row = (index: Int, texts: [String?])

  private func rows(_ texts: String, from first: Int = 0, by step: Int = 1) -> [Row] {
    texts.enumerated().map { (first + $0 * step, [String($1)]) }
  }

  private func elements(_ texts: String) -> [[String?]] { texts.map { [String($0)] } }

  @Test("an element at the end is one row, and one that goes is one as well")
  func single() {
    #expect(ListRows.difference(rows("abc"), elements("abcd")) == .init(gone: [], new: [(3, ["d"])]))
    #expect(ListRows.difference(rows("abc"), elements("ac")) == .init(gone: [1], new: []))
    #expect(ListRows.difference(rows("abc", from: 10), elements("abcd")) == .init(gone: [], new: [(13, ["d"])]))
    #expect(ListRows.difference(rows("abc"), elements("abc")) == .init())
  }

  @Test("rows after an insertion stay where there is place, and move otherwise")
  func places() {
    #expect(ListRows.difference(rows("ac", by: 2), elements("abc")) == .init(gone: [], new: [(1, ["b"])]))
    #expect(ListRows.difference(rows("ac"), elements("abc")) == .init(gone: [1], new: [(1, ["b"]), (2, ["c"])]))
    #expect(ListRows.difference(rows("b", from: 3), elements("ab")) == .init(gone: [], new: [(0, ["a"])]))
  }

  @Test(
    "the difference makes the rows the wanted ones, with an idx for each", arguments: 1...200 as ClosedRange<UInt64>)
  func law(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    func list() -> String {
      String(
        (0..<Int.random(in: 0...8, using: &random)).map { _ in Character("\(Int.random(in: 0...2, using: &random))") })
    }
    let there = rows(list(), from: Int.random(in: 0...2, using: &random), by: Int.random(in: 1...3, using: &random))
    let wanted = elements(list())
    let difference = ListRows.difference(there, wanted)
    let result = (there.filter { !difference.gone.contains($0.index) } + difference.new).sorted { $0.index < $1.index }
    #expect(result.map(\.texts) == wanted)
    #expect(Set(result.map(\.index)).count == result.count)
  }

  @Test("digests tell lists apart that have the same texts otherwise")
  func digests() {
    let lists: [[[String?]]] = [
      [], [[]], [[nil]], [[""]], [["a"], ["b"]], [["a", "b"]], [["ab"]], [["ab", nil]], [["b"], ["a"]],
    ]
    #expect(Set(lists.map(ListRows.digest)).count == lists.count)
  }
}
