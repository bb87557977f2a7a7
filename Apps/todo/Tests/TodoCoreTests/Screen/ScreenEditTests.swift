import Foundation
import TerminalUI
import TerminalUITestSupport
import Testing
@testable import TodoCore

@Suite("Edits on the screen")
struct ScreenEditTests {
  @Test("adds items, one after the other, with words as in todo.txt")
  func add() {
    let screen = ScreenOnStore()
    screen.test.press(.character("a"))
    screen.test.type("(B) Żółć 🎉 due:tomorrow")
    screen.test.press(.enter)
    screen.test.type("second")
    screen.test.press(.enter, .escape)
    #expect(screen.titles == ["Buy milk", "Call 世界", "Pay rent", "Żółć 🎉", "second"])
    let item = screen.store.board().list("home")?.items[3]
    #expect(item?.priority == 2)
    #expect(item?.due?.text == "2026-11-21")
    #expect(screen.test.program.selectedItem?.title == "second")
    #expect(screen.test.line(4) == "                    │ [ ] B Żółć 🎉                                  2026-11-21")
  }

  @Test("selects and shows a new item at the end of a long list")
  func addToLongList() {
    let items = (1...40).map { Item(key: "k\($0)", fields: fields("Item \($0)")) }
    let screen = ScreenOnStore(Board(lists: [ItemList(key: "home", name: "Home", items: items)]))
    screen.test.press(.down, .down, .space, .character("a"))
    screen.test.type("new")
    screen.test.press(.enter, .escape)
    #expect(screen.test.program.selectedItem?.title == "new")
    #expect(screen.test.line(containing: "new") != nil)
  }

  @Test("makes a list where there is none")
  func firstItem() {
    let screen = ScreenOnStore(Board())
    #expect(screen.test.text.contains("press a to add"))
    screen.test.press(.character("a"))
    screen.test.type("x")
    screen.test.press(.enter)
    #expect(screen.store.board().list(named: "Inbox")?.items.map(\.title) == ["x"])
  }

  @Test("completes, reopens, and keeps the date")
  func complete() {
    let screen = ScreenOnStore()
    screen.test.press(.space)
    #expect(screen.store.board().item("a")?.isDone == true)
    #expect(screen.store.board().item("a")?.completed == Day(text: "2026-11-20")?.date)
    screen.test.press(.character("x"))
    #expect(screen.store.board().item("a")?.isDone == false)
    #expect(screen.store.board().item("a")?.completed == nil)
  }

  @Test("moves an item past those that are shown")
  func move() {
    let screen = ScreenOnStore()
    screen.test.press(.character("J"))
    #expect(screen.titles == ["Call 世界", "Buy milk", "Pay rent"])
    #expect(screen.test.program.selectedItem?.key == "a")
    screen.test.press(Key(.down, .shift), Key(.down, .shift))
    #expect(screen.titles == ["Call 世界", "Pay rent", "Buy milk"])
    screen.test.press(.character("K"), .character("K"), .character("K"))
    #expect(screen.titles == ["Buy milk", "Call 世界", "Pay rent"])
    screen.test.press(.end, .character("f"))
    screen.test.press(.character("m"), .down, .enter)
    #expect(screen.store.board().list("work")?.items.map(\.key) == ["b"])
  }

  @Test("undoes the last action by an ordinary edit, and does it again")
  func undo() {
    let screen = ScreenOnStore()
    screen.test.press(.character("d"))
    #expect(screen.titles == ["Call 世界", "Pay rent"])
    #expect(screen.test.program.selectedItem?.key == "b")
    screen.test.press(.character("u"))
    #expect(screen.titles == ["Buy milk", "Call 世界", "Pay rent"])
    #expect(screen.test.text.contains("undone: delete 'Buy milk'"))
    screen.test.press(.control("r"))
    #expect(screen.titles == ["Call 世界", "Pay rent"])
    screen.test.press(.character("u"), .character("u"))
    #expect(screen.test.text.contains("nothing to undo"))
    #expect(screen.store.board() == ScreenOnStore.board)
  }

  @Test("edits in a form, and writes only what was touched")
  func edit() throws {
    let screen = ScreenOnStore()
    screen.test.press(.enter)
    screen.test.type("!")
    try screen.elsewhere(
      .changeItem(key: "a", [.priority(from: 1, to: 3), .notes(from: "", to: "theirs")], ifUnchanged: false))
    screen.test.press(.tab, .tab, .control("u"))
    screen.test.type("someday")
    screen.test.press(.enter)
    #expect(screen.test.text.contains("not a date"))
    screen.test.press(.control("u"))
    screen.test.type("+1")
    screen.test.press(.enter)
    #expect(
      screen.store.board().item("a")?.fields == fields("Buy milk!", priority: 3, due: "2026-11-21", notes: "theirs"))
  }

  @Test("saves an item that somebody deleted during the edit as a new one")
  func editDeleted() throws {
    let screen = ScreenOnStore()
    screen.test.press(.enter)
    screen.test.type("!")
    try screen.elsewhere(.deleteItems(["a"]))
    screen.test.press(.enter)
    #expect(screen.titles == ["Call 世界", "Pay rent", "Buy milk!"])
  }

  @Test("makes, renames and deletes lists")
  func lists() {
    let screen = ScreenOnStore()
    screen.test.press(.tab, .character("a"))
    screen.test.type("Garden")
    screen.test.press(.enter)
    #expect(screen.store.board().lists.map(\.name) == ["Home", "Work", "Garden"])
    #expect(screen.test.program.list?.name == "Garden")
    screen.test.press(.character("e"), .control("u"))
    screen.test.type("Yard")
    screen.test.press(.enter)
    #expect(screen.store.board().lists.map(\.name) == ["Home", "Work", "Yard"])
    screen.test.press(.character("d"))
    #expect(screen.store.board().lists.map(\.name) == ["Home", "Work"])
    screen.test.press(.home, .character("d"), .enter)
    #expect(screen.store.board().lists.count == 2)
    screen.test.press(.character("d"), .character("d"))
    #expect(screen.store.board().lists.map(\.name) == ["Work"])
    screen.test.press(.character("u"))
    #expect(screen.titles.count == 3)
  }
}
