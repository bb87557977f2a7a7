import Foundation
import TerminalUI
import TerminalUITestSupport
import Testing
@testable import TodoCore

@Suite("Several items")
struct ScreenMarkTests {
  @Test("are marked and deleted as one step, with undo offered")
  func delete() {
    let screen = ScreenOnStore()
    screen.test.press(.character("v"), .character("v"))
    #expect(screen.test.line(0).contains("2 marked"))
    #expect(screen.test.line(1).contains("│*[ ] A Buy milk"))
    screen.test.press(.character("d"))
    #expect(screen.titles == ["Pay rent"])
    #expect(screen.test.text.contains("done: delete 2 items; u brings it back"))
    screen.test.press(.character("u"))
    #expect(screen.titles == ["Buy milk", "Call 世界", "Pay rent"])
  }

  @Test("are completed together, and reopened where all are done")
  func complete() {
    let screen = ScreenOnStore()
    func done() -> [Bool] { screen.store.board().list("home")?.items.map(\.isDone) ?? [] }
    screen.test.press(.character("V"), .space)
    #expect(done() == [true, true, true])
    screen.test.press(.character("V"), .space)
    #expect(done() == [false, false, false])
    #expect(screen.test.program.marked.isEmpty)
  }

  @Test("get one priority")
  func priority() {
    let screen = ScreenOnStore()
    screen.test.press(.character("V"), .character("2"))
    #expect(screen.store.board().list("home")?.items.map(\.priority) == [2, 2, 2])
  }

  @Test("move to a list that is made meanwhile, and come back by one undo")
  func newList() {
    let screen = ScreenOnStore()
    screen.test.press(.character("v"), .character("v"), .character("m"))
    #expect(screen.test.text.contains("n new list"))
    screen.test.press(.character("n"))
    screen.test.type("Trip")
    screen.test.press(.enter)
    #expect(screen.store.board().list(named: "Trip")?.items.map(\.key) == ["a", "b"])
    screen.test.press(.character("u"))
    #expect(screen.titles == ["Buy milk", "Call 世界", "Pay rent"])
    #expect(screen.store.board().list(named: "Trip") == nil)
  }

  @Test("move to the list that has the name already")
  func knownList() {
    let screen = ScreenOnStore()
    screen.test.press(.character("m"), .character("n"))
    screen.test.type("work")
    screen.test.press(.enter)
    #expect(screen.store.board().list("work")?.items.map(\.key) == ["a"])
    #expect(screen.store.board().lists.count == 2)
  }

  @Test("lose the marks of what is not shown any more")
  func hidden() throws {
    let screen = ScreenOnStore()
    screen.test.press(.character("V"))
    try screen.elsewhere(.deleteItems(["a"]))
    #expect(screen.test.program.marked == ["b", "c"])
    screen.test.press(.character("f"))
    #expect(screen.test.program.marked == ["b"])
    screen.test.press(.escape)
    #expect(screen.test.program.marked.isEmpty)
  }

  @Test("are not changed by a user who may only read")
  func readOnly() {
    let access = StoreAccess(user: "bob", place: "ann's lists", level: .read)
    let screen = ScreenOnStore(status: StoreStatus(connection: .connected, account: "bob@host", access: access))
    #expect(screen.test.line(0).contains("ann's lists: read only"))
    for key in ["d", "x", "1", "m"] { screen.test.press(.character("V"), Key(.character(Character(key)))) }
    #expect(screen.store.board() == ScreenOnStore.board)
  }
}

@Suite("Errors on the screen")
struct ScreenErrorTests {
  @Test("are shown in full on a key")
  func full() {
    let screen = ScreenOnStore(rows: 10, columns: 40)
    screen.test.press(.character("!"))
    #expect(screen.test.text.contains("there was no error"))
    screen.test.post(.failed("cannot share with bob: the server says that there is no user of that name at all"))
    screen.test.press(.down, .character("!"))
    #expect(screen.test.text.contains("of that name at all"))
    screen.test.press(.escape)
    screen.test.post(
      .status(StoreStatus(connection: .disconnected, problem: .init("the certificate has expired", remedy: "renew it")))
    )
    screen.test.press(.character("!"))
    #expect(screen.test.text.contains("renew it"))
  }

  @Test("leave the place and the right of a writer to the heading")
  func place() {
    let access = StoreAccess(user: "bob", place: "ann's lists", level: .write)
    let screen = ScreenOnStore(status: StoreStatus(connection: .connected, account: "bob@host", access: access))
    #expect(screen.test.line(0).contains("ann's lists: you may write"))
    let own = StoreAccess(user: "ann", place: "/1/todo/ann", level: .manage, isOwn: true)
    screen.test.post(.status(StoreStatus(connection: .connected, account: "ann@host", access: own)))
    #expect(!screen.test.line(0).contains("you may"))
  }
}
