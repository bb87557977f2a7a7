import Testing
@testable import TodoCore

@Suite("CSV")
struct CSVTests {
  @Test("is read with headings in any order, quotes, CRLF and a byte order mark")
  func readRows() {
    let text =
      "\u{FEFF}Due Date,TITLE,Status,Priority,Notes,List,Estimate\r\n"
      + "2026-12-01,\"Milk, \"\"fresh\"\"\",done,A,\"two\r\nbottles\",Shop,5 min\r\n"
      + ",Bread,,low,,,\r\n\r\n"
    let file = read(text, .csv)
    #expect(
      file.parts == [
        part(
          "Shop",
          fields("Milk, \"fresh\"", done: true, priority: 1, due: "2026-12-01", notes: "two\nbottles\nEstimate: 5 min")),
        part(nil, fields("Bread", priority: 3)),
      ])
    #expect(file.problems == [])
  }

  @Test("keeps what is not valid in the notes and says where")
  func badValues() {
    let file = read("title;due;done\na;tomorow;maybe;surplus\n;2026-01-01;\nc", .csv)
    #expect(
      file.parts == [
        part(
          nil, fields("a", notes: "due: tomorow\ndone: maybe\ncolumn 4: surplus"),
          fields("Untitled", due: "2026-01-01"), fields("c"))
      ])
    #expect(
      file.problems.map(\.description) == [
        "line 2: 'tomorow' is not a valid due; kept in the notes",
        "line 2: 'maybe' is not a valid done; kept in the notes",
        "line 3: no title; called 'Untitled'",
      ])
  }

  @Test("without headings is read as titles, and an unclosed quote does not swallow the rest")
  func odd() {
    let file = read("Milk,2 l\n\"Bread\nEggs\n", .csv)
    #expect(file.parts == [part(nil, fields("Milk", notes: "column 2: 2 l"), fields("\"Bread"), fields("Eggs"))])
    #expect(file.problems.map(\.line).sorted() == [1, 2])
  }

  @Test("counts lines inside quoted fields")
  func lineNumbers() {
    let file = read("title,due\n\"a\nb\",\nc,bad\n", .csv)
    #expect(file.problems.map(\.line) == [4])
  }
}
