import Foundation
import TerminalUI
import TerminalUITestSupport
import Testing
@testable import TodoCore

@Suite("Views of all lists")
struct ScreenScopeTests {
  static let board = Board(lists: [
    ItemList(
      key: "home", name: "Home", order: 1,
      items: [
        Item(key: "a", fields: fields("Pay rent", priority: 2, due: "2026-12-01")),
        Item(key: "b", fields: fields("Water plants", due: "2026-11-18")),
        Item(key: "c", fields: fields("Read", done: true, priority: 1, due: "2026-11-01")),
      ]),
    ItemList(
      key: "work", name: "Work", order: 2,
      items: [
        Item(key: "d", fields: fields("Pay invoice", priority: 1, due: "2026-11-19")),
        Item(key: "e", fields: fields("Plan", priority: 1)),
      ]),
  ])

  private func keys(_ screen: ScreenOnStore) -> [String] { screen.test.program.visibleItems.map(\.key) }

  @Test("show the items of all lists with the names of their lists")
  func all() {
    let screen = ScreenOnStore(Self.board)
    screen.test.press(.character("A"))
    #expect(keys(screen) == ["a", "b", "c", "d", "e"])
    #expect(screen.test.line(0).hasPrefix(" todo All lists  4 open"))
    #expect(screen.test.line(4).hasSuffix("Work 2026-11-19"))
    screen.test.press(.down, .down, .down, .space)
    #expect(screen.store.board().item("d")?.isDone == true)
    screen.test.press(.escape)
    #expect(keys(screen) == ["a", "b", "c"])
  }

  @Test("search in all lists with one key")
  func search() {
    let screen = ScreenOnStore(Self.board)
    screen.test.press(.character("S"))
    screen.test.type("pay")
    screen.test.press(.enter)
    #expect(keys(screen) == ["a", "d"])
    screen.test.press(.escape, .escape)
    #expect(keys(screen) == ["a", "b", "c"])
  }

  @Test("show what is overdue, until it is done")
  func overdue() {
    let screen = ScreenOnStore(Self.board)
    screen.test.press(.character("O"))
    #expect(keys(screen) == ["b", "d"])
    #expect(screen.test.line(0).hasPrefix(" todo Overdue  2 items"))
    screen.test.press(.space, .space)
    #expect(keys(screen) == [])
    #expect(screen.test.text.contains("nothing is overdue"))
    screen.test.post(.day(Day(text: "2026-12-02") ?? Day(number: 0)))
    #expect(keys(screen) == ["a"])
  }

  @Test("sort by due date and by priority, open items first")
  func order() {
    let screen = ScreenOnStore(Self.board)
    screen.test.press(.character("A"), .character("t"))
    #expect(keys(screen) == ["b", "d", "a", "e", "c"])
    #expect(screen.test.line(0).contains("by due date"))
    screen.test.press(.character("t"))
    #expect(keys(screen) == ["d", "e", "a", "b", "c"])
    screen.test.press(.character("t"))
    #expect(keys(screen) == ["a", "b", "c", "d", "e"])
  }

  @Test("move no item within an order that is not the list's")
  func moving() {
    let screen = ScreenOnStore(Self.board)
    screen.test.press(.character("t"), .character("J"))
    #expect(screen.store.board() == Self.board)
    #expect(screen.test.text.contains("Esc shows it"))
    screen.test.press(.escape, .character("J"))
    #expect(screen.store.board().list("home")?.items.map(\.key) == ["b", "a", "c"])
  }

  @Test("go to the ends with g and G")
  func ends() {
    let screen = ScreenOnStore(Self.board)
    screen.test.press(.character("A"), .character("G"))
    #expect(screen.test.program.selectedItem?.key == "e")
    screen.test.press(.character("g"))
    #expect(screen.test.program.selectedItem?.key == "a")
  }

  @Test("stay on the same item while others edit", arguments: [40, 80])
  func selection(_ columns: Int) throws {
    let screen = ScreenOnStore(Self.board, rows: 10, columns: columns)
    screen.test.press(.character("A"), .character("G"))
    try screen.elsewhere(.deleteItems(["a"]))
    #expect(screen.test.program.selectedItem?.key == "e")
    #expect(screen.test.text.contains("Plan"))
  }
}
