import Testing
@testable import TodoCore

@Suite("todo.txt")
struct TodoTxtTests {
  @Test(
    "is read line by line",
    arguments: [
      ("Buy milk", fields("Buy milk")),
      ("(A) Call mum", fields("Call mum", priority: 1)),
      ("(Z) 2026-11-01 Call +family @phone", fields("Call +family @phone", priority: 26, created: "2026-11-01")),
      ("2026-11-01 Call", fields("Call", created: "2026-11-01")),
      ("x 2026-11-20 2026-11-01 Call", fields("Call", done: true, created: "2026-11-01", completed: "2026-11-20")),
      ("x 2026-11-20 Call", fields("Call", done: true, completed: "2026-11-20")),
      ("x Call", fields("Call", done: true)),
      ("x (A) Call", fields("Call", done: true, priority: 1)),
      ("x 2026-11-20 (B) Call", fields("Call", done: true, priority: 2, completed: "2026-11-20")),
      ("x 2026-11-20 Call pri:A", fields("Call", done: true, priority: 1, completed: "2026-11-20")),
      ("Pay due:2026-12-01 rent", fields("Pay rent", due: "2026-12-01")),
      ("due:2026-12-01 Pay", fields("Pay", due: "2026-12-01")),
      ("See http://x.org:80/a?b=c id:7", fields("See http://x.org:80/a?b=c id:7")),
      ("(a) lower", fields("(a) lower")), ("(AA) x", fields("(AA) x")), ("(A)tight", fields("(A)tight")),
      ("(A) (B) two", fields("(B) two", priority: 1)), ("xylophone", fields("xylophone")), ("X Call", fields("X Call")),
      ("2026-02-30 Leap", fields("2026-02-30 Leap")), ("two  spaces", fields("two  spaces")),
      ("Buy note:two%20bottles", fields("Buy", notes: "two bottles")),
      ("Zażółć 世界 🎉", fields("Zażółć 世界 🎉")),
      ("  (A) indented", fields("indented", priority: 1)),
    ])
  func line(_ text: String, _ expected: ItemFields) {
    #expect(read(text, .todotxt) == ImportedFile(parts: [part(nil, expected)]))
  }

  @Test("keeps a bad date in the title and says on which line")
  func badDate() {
    let file = read("a\n\nPay due:tomorow\n", .todotxt)
    #expect(file.parts == [part(nil, fields("a"), fields("Pay due:tomorow"))])
    #expect(
      file.problems.map(\.description) == [
        "line 3: 'due:tomorow' is not a date of the form 2026-11-21; kept in the title"
      ])
  }

  @Test("skips a line without a title and imports the rest")
  func noTitle() {
    let file = read("x 2026-11-20\nb list:Home\n(A) due:2026-01-01\r\nc\rd", .todotxt)
    #expect(file.parts == [part("Home", fields("b")), part(nil, fields("c"), fields("d"))])
    #expect(file.problems.map(\.line) == [1, 3])
    #expect(file.problems.map(\.isSkipped) == [true, true])
  }

  @Test("is written as people write it")
  func write() {
    let list = ItemList(
      key: "k", name: "To buy",
      items: [
        Item(
          key: "1",
          fields: fields(
            "Milk +food", priority: 1, due: "2026-12-01", notes: "two bottles", created: "2026-11-01T10:00:00Z")),
        Item(key: "2", fields: fields("Call", done: true, priority: 2, created: "2026-11-01", completed: "2026-11-02")),
        Item(key: "3", fields: fields("x marks")),
      ])
    #expect(
      Exporter.write([list], as: .todotxt) == """
        (A) 2026-11-01 Milk +food due:2026-12-01 note:two%20bottles
        x 2026-11-02 2026-11-01 Call pri:B
        text:x%20marks

        """)
    #expect(Exporter.write([list, ItemList(key: "l", name: "b")], as: .todotxt).contains("Call pri:B list:To%20buy\n"))
  }
}
