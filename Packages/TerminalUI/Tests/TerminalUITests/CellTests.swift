import TestKit
import Testing
@testable import TerminalUI

@Suite("A picture")
struct CellTests {
  @Test("never has half of a wide character")
  func wide() {
    var buffer = CellBuffer(size: Size(rows: 1, columns: 6))
    buffer.put("世", row: 0, column: 0)
    buffer.put("界", row: 0, column: 2)
    #expect(buffer.text == "世界")
    buffer.put("x", row: 0, column: 1)
    #expect(buffer.text == " x界")
    buffer.put("y", row: 0, column: 2)
    #expect(buffer.text == " xy")
    buffer.put("世", row: 0, column: 5)
    #expect(buffer.text == " xy")
    buffer.put("世", row: 0, column: 1)
    #expect(buffer.text == " 世")
    buffer.put("界", row: 0, column: 2)
    #expect(buffer.text == "  界")
  }

  @Test("keeps its halves together, and is reached from any other by drawing the differences")
  func differences() {
    var random = SeededGenerator(seed: Seeds.seed ?? 1)
    let characters: [Character] = ["a", "世", "🎉", " ", "e\u{301}", "\u{200B}"]
    let styles = [Style.plain, .bold, .reverse]
    var old = CellBuffer(size: Size(rows: 3, columns: 7))
    for run in 0..<(Seeds.runs ?? 2_000) {
      var new = old
      for _ in 0..<Int.random(in: 0...6, using: &random) {
        new.put(
          characters.randomElement(using: &random) ?? "a", row: Int.random(in: -1...3, using: &random),
          column: Int.random(in: -1...7, using: &random), style: styles.randomElement(using: &random) ?? .plain)
      }
      let runs = new.differences(from: old)
      var drawn = old
      for run in runs { drawn.apply(run) }
      #expect(drawn == new, "SEED=\(Seeds.seed ?? 1) run \(run)")
      #expect(runs.allSatisfy { $0.cells.first?.isRightHalf == false }, "SEED=\(Seeds.seed ?? 1) run \(run)")
      for row in 0..<3 {
        for column in 0..<7 where new.cell(row: row, column: column).width == 2 {
          #expect(new.cell(row: row, column: column + 1).isRightHalf, "SEED=\(Seeds.seed ?? 1) run \(run)")
        }
      }
      old = new
    }
  }

  @Test("differs from itself nowhere, and from another size everywhere")
  func sameAndOther() {
    var buffer = CellBuffer(size: Size(rows: 2, columns: 3))
    buffer.put("x", row: 1, column: 1)
    #expect(buffer.differences(from: buffer) == [])
    #expect(buffer.differences(from: nil).reduce(0) { $0 + $1.cells.count } == 6)
    #expect(buffer.differences(from: CellBuffer(size: buffer.size)) == [CellRun(row: 1, column: 1, cells: [Cell("x")])])
  }

  @Test("is drawn through a canvas that clips")
  func canvas() {
    var canvas = Canvas(size: Size(rows: 4, columns: 10))
    canvas.within(Rect(row: 1, column: 2, rows: 2, columns: 5)) { canvas in
      #expect(canvas.write("abcdefgh", row: 0) == 5)
      #expect(canvas.write("世界地", row: 1, ellipsis: true) == 5)
      canvas.write("no", row: 2)
      canvas.showCursor(row: 1, column: 1)
    }
    #expect(canvas.buffer.text == "\n  abcde\n  世界…\n")
    #expect(canvas.cursor == Point(row: 2, column: 3))
    canvas.within(Rect(row: 0, column: 0, rows: 3, columns: 10)) { $0.frame(title: "T") }
    #expect(canvas.buffer.text(row: 0) == "┌─ T ────┐")
  }

  @Test(
    "is divided into parts that fill it",
    arguments: [
      (24, [Extent.cells(1), .share(1), .cells(1)], [1, 22, 1]), (10, [.share(1), .share(2)], [3, 7]),
      (3, [.cells(2), .cells(2), .share(1)], [2, 1, 0]), (0, [.cells(1), .share(1)], [0, 0]),
    ])
  func split(_ length: Int, _ extents: [Extent], _ lengths: [Int]) {
    #expect(Extent.divide(length, extents) == lengths)
  }
}
