import TestKit
import Testing
import TerminalUI
import TextWidth

@Suite("A widget")
struct WidgetTests {
  private func draw(rows: Int = 1, columns: Int = 10, _ body: (inout Canvas) -> Void) -> Canvas {
    var canvas = Canvas(size: Size(rows: rows, columns: columns))
    body(&canvas)
    return canvas
  }

  @Test("Hostile text is drawn as what it is, with the cursor where it belongs", arguments: HostileText.table)
  func hostile(_ text: String) {
    let canvas = draw(rows: 6, columns: 60) { canvas in
      canvas.write(text, row: 0, ellipsis: true)
      canvas.write(text, row: 1, endingAt: 58)
      canvas.within(Rect(row: 2, column: 0, rows: 1, columns: 60)) { StatusLine(left: [Span(text)]).draw(on: &$0) }
      canvas.within(Rect(row: 3, column: 0, rows: 1, columns: 60)) { TextField(text).draw(on: &$0, isFocused: true) }
      canvas.within(Rect(row: 4, column: 0, rows: 2, columns: 60)) { TextArea(text).draw(on: &$0, isFocused: false) }
    }
    #expect(HostileText.harm(in: canvas.buffer.text) == nil)
    let shown = canvas.buffer.text(row: 3)
    #expect(
      canvas.cursor?.column == min(59, shown.displayWidth) || shown.hasPrefix("‹") || text.last?.isWhitespace == true)
    #expect(canvas.buffer.text(row: 0).isEmpty == false)
  }

  @Test("for help wraps what is too long, beside keys that take no more than half")
  func helpWraps() {
    let overlay = HelpOverlay(
      title: "T", sections: [.init("S", [("x", "one two three four"), ("a long key", "five")])])
    let canvas = draw(rows: 6, columns: 28) { overlay.draw(on: &$0) }
    let text = (0..<6).map { canvas.buffer.text(row: $0) }
    #expect(text[2].contains("x         one two"))
    #expect(text[3].contains("          three four"))
    #expect(text[4].contains("a long …  five"))
  }

  @Test("An escape sequence in a title is seen and not obeyed")
  func escape() {
    let canvas = draw(columns: 30) { $0.write("a\u{1B}[2J\u{202E}b", row: 0) }
    #expect(canvas.buffer.text(row: 0) == "a␛[2J\\u{202e}b")
  }

  private func typed(_ text: String, _ keys: Key...) -> TextField {
    var field = TextField(text)
    for key in keys where !field.handle(key) { Issue.record("\(key) does not edit") }
    return field
  }

  @Test("for text edits what is seen as one character")
  func textField() {
    #expect(typed("ab", .left, .character("x")).text == "axb")
    #expect(typed("ae", .character("\u{301}")).text == "aé")
    #expect(typed("ae", .character("\u{301}")).cursor == 2)
    #expect(typed("a👩‍👩‍👧", .backspace).text == "a")
    #expect(typed("one two", .control("w")).text == "one ")
    #expect(typed("one two", Key(.left, .control), .control("k")).text == "one ")
    #expect(typed("one two", .home, .delete, .end, .character("!")).text == "ne two!")
    #expect(typed("one", .control("u")).text == "")
    #expect(typed("", .backspace, .delete, .left, .right).text == "")
    var field = TextField("a")
    field.paste("b\nc\u{7}")
    #expect(field.text == "ab c")
    #expect(field.handle(.enter) == false)
    #expect(field.handle(.control("x")) == false)
  }

  @Test("for text keeps the cursor in sight")
  func textFieldScrolls() {
    let canvas = draw(columns: 5) { TextField("groceries").draw(on: &$0, isFocused: true) }
    #expect(canvas.buffer.text == "‹ies")
    #expect(canvas.cursor == Point(row: 0, column: 4))
    let wide = draw(columns: 5) { TextField("世界地図").draw(on: &$0, isFocused: true) }
    #expect(wide.cursor == Point(row: 0, column: 4))
    let secret = draw { TextField("pass", isSecret: true).draw(on: &$0, isFocused: false) }
    #expect(secret.buffer.text == "••••")
    #expect(secret.cursor == nil)
  }

  @Test("for several lines moves between them")
  func textArea() {
    var area = TextArea("one\ntwo two\nx")
    for key in [Key.up, .end, .up, .character("!")] { _ = area.handle(key) }
    #expect(area.text == "one!\ntwo two\nx")
    _ = area.handle(.enter)
    #expect(area.text == "one!\n\ntwo two\nx")
    let canvas = draw(rows: 2) { area.draw(on: &$0, isFocused: true) }
    #expect(canvas.buffer.text == "one!\n")
    #expect(canvas.cursor == Point(row: 1, column: 0))
  }

  @Test("for a list scrolls no more than needed")
  func list() {
    var state = ListState()
    for _ in 0..<4 { _ = state.handle(.down, count: 10, rows: 3) }
    #expect(state.selected == 4)
    #expect(state.visible(count: 10, rows: 3) == 2..<5)
    _ = state.handle(.up, count: 10, rows: 3)
    #expect(state.visible(count: 10, rows: 3) == 2..<5)
    _ = state.handle(.end, count: 10, rows: 3)
    #expect(state.visible(count: 10, rows: 3) == 7..<10)
    state.settle(count: 2, rows: 3)
    #expect(state.selected == 1)
    #expect(state.visible(count: 2, rows: 3) == 0..<2)
    state.settle(count: 0, rows: 3)
    #expect(state.visible(count: 0, rows: 3) == 0..<0)
    #expect(state.row(at: 0, count: 0) == nil)
    let canvas = draw(rows: 2, columns: 4) { canvas in
      canvas.list(ListState(selected: 0), count: 4) { row, _, canvas in canvas.write("row\(row)", row: 0) }
    }
    #expect(canvas.buffer.text == "row█\nrow░")
  }

  @Test("for a form goes from field to field and shows what is wrong")
  func form() {
    var form = Form(
      title: "Item",
      fields: [
        .init("Title", .text(TextField("milk"))), .init("Priority", .choice(["none", "high"], selected: 0)),
        .init("Notes", .area(TextArea())),
      ])
    #expect(form.handle(.character("!")) == .editing)
    #expect(form.handle(.tab) == .editing)
    #expect(form.handle(.right) == .editing)
    #expect(form.handle(.tab) == .editing)
    #expect(form.handle(.character("n")) == .editing)
    #expect(form.handle(.enter) == .editing)
    #expect(form.handle(.control("s")) == .submitted)
    #expect(form.fields.map(\.text) == ["milk!", "high", "n\n"])
    form.fields[0].error = "too dull"
    let canvas = draw(rows: 12, columns: 40) { form.draw(on: &$0) }
    #expect(canvas.buffer.text.contains("too dull"))
    #expect(canvas.cursor != nil)
    #expect(form.handle(.escape) == .cancelled)
  }

  @Test("for a question takes the first letter, Enter or Escape")
  func dialog() {
    var dialog = Dialog(title: "Delete", message: "Delete 'milk'?", answers: ["Keep", "Delete"])
    #expect(dialog.handle(.character("d")) == .answered(1))
    #expect(dialog.handle(.character("z")) == .open)
    #expect(dialog.handle(.right) == .open)
    #expect(dialog.handle(.enter) == .answered(1))
    #expect(dialog.handle(.escape) == .cancelled)
    let canvas = draw(rows: 8, columns: 40) { dialog.draw(on: &$0) }
    #expect(canvas.buffer.text.contains("Delete 'milk'?"))
  }

  @Test("for the status cuts the left end first")
  func status() {
    let line = StatusLine(left: [Span("connected to the server")], right: [Span("? help")])
    #expect(draw(columns: 20) { line.draw(on: &$0) }.buffer.text == "connected to… ? help")
    #expect(draw(columns: 12) { line.draw(on: &$0) }.buffer.text == "connected t…")
  }

  @Test("draws on a canvas of any size without trapping", arguments: 0..<12)
  func anySize(_ rows: Int) {
    for columns in 0..<14 {
      _ = draw(rows: rows, columns: columns) { canvas in
        Form(title: "Title", fields: [.init("Label", .text(TextField("世界"))), .init("N", .area(TextArea("a\nb")))])
          .draw(on: &canvas)
        Dialog(title: "Title", message: "A longer message").draw(on: &canvas)
        HelpOverlay(title: "Keys", sections: [.init("A", [("k", "up"), ("j", "down")])]).draw(on: &canvas)
        StatusLine(left: [Span("left")], right: [Span("right")]).draw(on: &canvas)
        canvas.list(ListState(), count: 5) { row, _, canvas in canvas.write("\(row)", row: 0) }
      }
    }
  }
}
