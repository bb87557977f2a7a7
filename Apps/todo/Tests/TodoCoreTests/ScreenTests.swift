import Foundation
import Synchronization
import TerminalUI
import TerminalUITestSupport
import TestKit
import Testing
@testable import TodoCore

@Suite("The screen")
struct ScreenTests {
  /// A screen over a store in memory, to which its edits go at once.
  final class Desk {
    let store: MemoryTodoStore
    let test: TestTerminal<TodoScreen>

    init(
      _ board: Board = Desk.board, status: StoreStatus = StoreStatus(connection: .connected, account: "ann@host"),
      rows: Int = 24, columns: Int = 80
    ) {
      let store = MemoryTodoStore(board)
      let counter = Mutex<UInt64>(0)
      let screen = TodoScreen(
        board: board, status: status, today: Day(text: "2026-11-20") ?? Day(number: 0),
        now: { Day(text: "2026-11-20")?.date ?? Date() },
        nextNumber: {
          counter.withLock {
            $0 += 1; return $0
          }
        })
      self.store = store
      test = TestTerminal(screen, rows: rows, columns: columns) { effect in
        guard case .perform(let edit, let purpose, let label) = effect else { return [] }
        do {
          let done = try store.perform(edit)
          return [.performed(done, purpose, label: label), .board(store.board())]
        } catch {
          return [.failed("\(error)"), .board(store.board())]
        }
      }
    }

    static let board = Board(lists: [
      ItemList(
        key: "home", name: "Home", order: 1,
        items: [
          Item(key: "a", fields: fields("Buy milk", priority: 1, due: "2026-11-19")),
          Item(key: "b", fields: fields("Call 世界", notes: "ask about the trip")),
          Item(key: "c", fields: fields("Pay rent", done: true)),
        ]),
      ItemList(key: "work", name: "Work", order: 2),
    ])

    /// Somebody else edits.
    func elsewhere(_ edit: Edit) throws {
      _ = try store.perform(edit)
      test.post(.board(store.board()))
    }

    var titles: [String] { store.board().list("home")?.items.map(\.title) ?? [] }
  }

  @Test("shows lists, items, and the status at 80 by 24")
  func picture() {
    let desk = Desk()
    #expect(desk.test.line(0).hasPrefix(" todo Home  2 open, 1 done"))
    #expect(desk.test.line(1) == " Home             2 │ [ ] A Buy milk                                 2026-11-19")
    #expect(desk.test.line(2) == " Work               │ [ ]   Call 世界                                         ≡")
    #expect(desk.test.line(3) == "                    │ [x]   Pay rent")
    #expect(desk.test.line(23) == " ● connected, all changes uploaded                     ann@host  ? help  q quit")
    #expect(desk.test.screen.cell(row: 1, column: 25).style.attributes.contains(.reverse))
  }

  @Test("adds items, one after the other, with words as in todo.txt")
  func add() {
    let desk = Desk()
    desk.test.press(.character("a"))
    desk.test.type("(B) Żółć 🎉 due:tomorrow")
    desk.test.press(.enter)
    desk.test.type("second")
    desk.test.press(.enter, .escape)
    #expect(desk.titles == ["Buy milk", "Call 世界", "Pay rent", "Żółć 🎉", "second"])
    let item = desk.store.board().list("home")?.items[3]
    #expect(item?.priority == 2)
    #expect(item?.due?.text == "2026-11-21")
    #expect(desk.test.program.selectedItem?.title == "second")
    #expect(desk.test.line(4) == "                    │ [ ] B Żółć 🎉                                  2026-11-21")
  }

  @Test("selects and shows a new item at the end of a long list")
  func addToLongList() {
    let items = (1...40).map { Item(key: "k\($0)", fields: fields("Item \($0)")) }
    let desk = Desk(Board(lists: [ItemList(key: "home", name: "Home", items: items)]))
    desk.test.press(.down, .down, .space, .character("a"))
    desk.test.type("new")
    desk.test.press(.enter, .escape)
    #expect(desk.test.program.selectedItem?.title == "new")
    #expect(desk.test.line(containing: "new") != nil)
  }

  @Test("makes a list where there is none")
  func firstItem() {
    let desk = Desk(Board())
    #expect(desk.test.text.contains("press a to add"))
    desk.test.press(.character("a"))
    desk.test.type("x")
    desk.test.press(.enter)
    #expect(desk.store.board().list(named: "Inbox")?.items.map(\.title) == ["x"])
  }

  @Test("completes, reopens, and keeps the date")
  func complete() {
    let desk = Desk()
    desk.test.press(.space)
    #expect(desk.store.board().item("a")?.isDone == true)
    #expect(desk.store.board().item("a")?.completed == Day(text: "2026-11-20")?.date)
    desk.test.press(.character("x"))
    #expect(desk.store.board().item("a")?.isDone == false)
    #expect(desk.store.board().item("a")?.completed == nil)
  }

  @Test("moves an item past those that are shown")
  func move() {
    let desk = Desk()
    desk.test.press(.character("J"))
    #expect(desk.titles == ["Call 世界", "Buy milk", "Pay rent"])
    #expect(desk.test.program.selectedItem?.key == "a")
    desk.test.press(Key(.down, .shift), Key(.down, .shift))
    #expect(desk.titles == ["Call 世界", "Pay rent", "Buy milk"])
    desk.test.press(.character("K"), .character("K"), .character("K"))
    #expect(desk.titles == ["Buy milk", "Call 世界", "Pay rent"])
    desk.test.press(.end, .character("f"))
    desk.test.press(.character("m"), .down, .enter)
    #expect(desk.store.board().list("work")?.items.map(\.key) == ["b"])
  }

  @Test("undoes the last action by an ordinary edit, and does it again")
  func undo() {
    let desk = Desk()
    desk.test.press(.character("d"))
    #expect(desk.titles == ["Call 世界", "Pay rent"])
    #expect(desk.test.program.selectedItem?.key == "b")
    desk.test.press(.character("u"))
    #expect(desk.titles == ["Buy milk", "Call 世界", "Pay rent"])
    #expect(desk.test.text.contains("undone: delete 'Buy milk'"))
    desk.test.press(.control("r"))
    #expect(desk.titles == ["Call 世界", "Pay rent"])
    desk.test.press(.character("u"), .character("u"))
    #expect(desk.test.text.contains("nothing to undo"))
    #expect(desk.store.board() == Desk.board)
  }

  @Test("keeps the selection on the same item while others edit")
  func selection() throws {
    let desk = Desk()
    desk.test.press(.down)
    try desk.elsewhere(.createItems([Item(key: "n", fields: fields("new"))], list: "home", at: .first))
    #expect(desk.test.program.selectedItem?.key == "b")
    #expect(desk.test.program.items.selected == 2)
    try desk.elsewhere(.moveItem(key: "b", list: "home", at: .last))
    #expect(desk.test.program.items.selected == 3)
    try desk.elsewhere(.deleteItems(["b"]))
    #expect(desk.test.program.selectedItem?.key == "c")
    try desk.elsewhere(.deleteList(key: "home"))
    #expect(desk.test.program.list?.key == "work")
    #expect(desk.test.program.selectedItem == nil)
  }

  @Test("edits in a form, and writes only what was touched")
  func edit() throws {
    let desk = Desk()
    desk.test.press(.enter)
    desk.test.type("!")
    try desk.elsewhere(
      .changeItem(key: "a", [.priority(from: 1, to: 3), .notes(from: "", to: "theirs")], ifUnchanged: false))
    desk.test.press(.tab, .tab, .control("u"))
    desk.test.type("someday")
    desk.test.press(.enter)
    #expect(desk.test.text.contains("not a date"))
    desk.test.press(.control("u"))
    desk.test.type("+1")
    desk.test.press(.enter)
    #expect(
      desk.store.board().item("a")?.fields == fields("Buy milk!", priority: 3, due: "2026-11-21", notes: "theirs"))
  }

  @Test("saves an item that somebody deleted during the edit as a new one")
  func editDeleted() throws {
    let desk = Desk()
    desk.test.press(.enter)
    desk.test.type("!")
    try desk.elsewhere(.deleteItems(["a"]))
    desk.test.press(.enter)
    #expect(desk.titles == ["Call 世界", "Pay rent", "Buy milk!"])
  }

  @Test("filters by text and state")
  func filter() {
    let desk = Desk()
    desk.test.press(.character("/"))
    desk.test.type("TRIP call")
    #expect(desk.test.program.visibleItems.map(\.key) == ["b"])
    desk.test.press(.enter)
    #expect(desk.test.line(0).contains("filter: TRIP call"))
    desk.test.press(.escape, .character("f"))
    #expect(desk.test.program.visibleItems.map(\.key) == ["a", "b"])
    desk.test.press(.character("f"))
    #expect(desk.test.program.visibleItems.map(\.key) == ["c"])
    desk.test.press(.character("a"))
    desk.test.type("new")
    desk.test.press(.enter)
    #expect(desk.test.program.filter.isOff)
  }

  @Test("makes, renames and deletes lists")
  func lists() {
    let desk = Desk()
    desk.test.press(.tab, .character("a"))
    desk.test.type("Garden")
    desk.test.press(.enter)
    #expect(desk.store.board().lists.map(\.name) == ["Home", "Work", "Garden"])
    #expect(desk.test.program.list?.name == "Garden")
    desk.test.press(.character("e"), .control("u"))
    desk.test.type("Yard")
    desk.test.press(.enter)
    #expect(desk.store.board().lists.map(\.name) == ["Home", "Work", "Yard"])
    desk.test.press(.character("d"))
    #expect(desk.store.board().lists.map(\.name) == ["Home", "Work"])
    desk.test.press(.home, .character("d"), .enter)
    #expect(desk.store.board().lists.count == 2)
    desk.test.press(.character("d"), .character("d"))
    #expect(desk.store.board().lists.map(\.name) == ["Work"])
    desk.test.press(.character("u"))
    #expect(desk.titles.count == 3)
  }

  @Test("says how it stands with the server, and what to do")
  func status() {
    let desk = Desk()
    desk.test.post(.status(StoreStatus(connection: .disconnected, pendingUploads: 3, account: "ann@host")))
    #expect(desk.test.line(23).contains("○ no connection, trying again, 3 changes to upload"))
    desk.test.post(.status(StoreStatus(connection: .connected, pendingUploads: 1, progress: 0.5)))
    #expect(desk.test.line(23).contains("connected, syncing 50%, 1 change to upload"))
    desk.test.post(
      .status(StoreStatus(connection: .disconnected, problem: .init("access denied", remedy: "log in again"))))
    #expect(desk.test.line(23).contains("! access denied: log in again"))
    desk.test.post(.status(StoreStatus(connection: .offline)))
    desk.test.press(.character("o"))
    #expect(desk.test.takeEffects() == [.setOffline(false)])
    desk.test.post(.status(StoreStatus(connection: .local)))
    desk.test.press(.character("s"))
    #expect(desk.test.text.contains("log in first"))
  }

  @Test("shares with another user")
  func share() {
    let desk = Desk()
    desk.test.press(.character("s"), .enter)
    #expect(desk.test.text.contains("a user is needed"))
    desk.test.type("bob")
    desk.test.press(.tab, .right, .enter)
    #expect(desk.test.takeEffects() == [.share(user: "bob", .manage)])
  }

  @Test("shows lists and items in turn where it is narrow, and survives any size")
  func sizes() {
    let desk = Desk(columns: 40)
    #expect(desk.test.line(1).hasPrefix(" [ ] A Buy milk"))
    desk.test.press(.tab)
    #expect(desk.test.line(1).hasPrefix(" Home"))
    for mode in ["a", "?", "e", "s", "/", "m", "d"] {
      desk.test.press(.escape, .escape, .character(Character(mode)))
      for rows in 0..<9 {
        for columns in [0, 1, 2, 5, 11, 30, 57, 200] { desk.test.resize(rows: rows, columns: columns) }
      }
    }
  }

  @Test("survives random keys, and every edit can be undone")
  func random() {
    var random = SeededGenerator(seed: Seeds.seed ?? 1)
    let keys: [Key] =
      "aneExpdKJm/fuLhls?o 0123gG".map { .character($0) }
      + [
        .enter, .escape, .tab, .backTab, .up, .down, .left, .right, .home, .end, .pageUp, .pageDown, .delete,
        .backspace, .control("r"), .control("s"), .function(1),
      ]
    for run in 0..<(Seeds.runs ?? 40) {
      let desk = Desk(rows: Int.random(in: 1...24, using: &random), columns: Int.random(in: 1...90, using: &random))
      for _ in 0..<60 {
        desk.test.press(keys.randomElement(using: &random) ?? .enter)
        if Int.random(in: 0..<15, using: &random) == 0 { try? desk.elsewhere(random.edit(on: desk.store.board())) }
        if Int.random(in: 0..<9, using: &random) == 0 { desk.test.type(random.nastyText(lines: false)) }
        #expect(desk.test.program.board == desk.store.board(), "SEED=\(Seeds.seed ?? 1) run \(run)")
      }
    }
  }
}
