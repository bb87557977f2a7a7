import CommandLineKit
import Foundation
import TerminalUI
import TerminalUITestSupport
import Testing
@testable import TodoCore

@Suite("A user who may only read")
struct ReadOnlyTests {
  static let access = StoreAccess(user: "ann", place: "/bob/list", level: .read)
  static let rule = "ann may only read /bob/list: ask the owner for write access"

  @Test(
    "is refused every edit, with exit 1 and the rule, before anything is written",
    arguments: [
      ["add", "x"], ["add", "x", "--list", "New", "--create"], ["done", "1"], ["edit", "1", "--title", "y"],
      ["rm", "1"],
      ["move", "1", "last"], ["import", "in.txt"], ["add", "x", "--json"],
    ])
  func refused(_ words: [String]) {
    let machine = FakeMachine()
    machine.run("add", "a")
    let checks = machine.checks
    machine.files["in.txt"] = Array("one\n".utf8)
    machine.status.access = Self.access
    #expect(machine.run(words) == .failure)
    #expect(
      machine.errors
        == (words.contains("--json")
          ? #"{"error":{"code":"failed","message":"\#(Self.rule)"}}"# + "\n" : "error: \(Self.rule)\n"))
    #expect(machine.output == "")
    #expect(machine.titles == [["a"]])
    // The server is asked first: the right may have come back.
    #expect(machine.checks == checks + 1)
  }

  @Test("sees no success when the server refuses after the fact")
  func later() {
    let machine = FakeMachine()
    machine.refusing = [RefusedWrite(kind: "TodoItem", key: "k", reason: "no")]
    machine.status.access = StoreAccess(user: "ann", place: "/bob/list", level: .write)
    #expect(machine.run("add", "x") == .failure)
    #expect(machine.output == "")
    #expect(machine.errors.hasPrefix("error: the server took nothing of it: "))
  }

  @Test("reads lists, and their status as text and JSON")
  func reading() {
    let machine = FakeMachine()
    machine.run("add", "a")
    machine.status.access = Self.access
    machine.status.refused = [RefusedWrite(kind: "TodoItem", key: "k", reason: "only read")]
    #expect(machine.run("list") == .success)
    machine.run("status")
    #expect(machine.output == "ann@host: connected, read only\n\(Self.rule)\n")
    machine.run("status", "--json")
    #expect(machine.output.contains(#""access":"read""#))
    #expect(machine.output.contains(#""refused":[{"kind":"TodoItem","key":"k","reason":"only read"}]"#))
  }

  private func screen(_ access: StoreAccess?) -> ScreenOnStore {
    ScreenOnStore(status: StoreStatus(connection: .connected, account: "ann@host", access: access))
  }

  @Test("is told on the screen, and no key changes anything")
  func screen() {
    let screen = screen(Self.access)
    let before = screen.store.board()
    #expect(screen.test.line(0).hasSuffix("read only"))
    #expect(screen.test.line(23).contains("connected, read only"))
    for key: Key in [
      .character("a"), .space, .character("p"), .character("1"), .character("d"), .character("J"),
      .character("m"), .character("L"), .character("u"), .control("r"),
    ] {
      screen.test.press(key)
      #expect(screen.test.line(22).contains(Self.rule), "\(key)")
      screen.test.press(.escape)
    }
    screen.test.press(.tab)
    for key: Key in [.character("a"), .character("e"), .character("d")] {
      screen.test.press(key)
      #expect(screen.test.line(22).contains(Self.rule), "\(key)")
    }
    #expect(screen.store.board() == before)
  }

  @Test("keeps what was typed when the right is withdrawn meanwhile")
  func typing() {
    let screen = screen(nil)
    screen.test.press(.character("a"))
    screen.test.type("Buy bread")
    screen.test.post(.status(StoreStatus(connection: .connected, access: Self.access)))
    screen.test.press(.enter)
    #expect(screen.titles == ["Buy milk", "Call 世界", "Pay rent"])
    #expect(screen.test.line(22).contains("Buy bread"))
    #expect(screen.test.line(23).contains(Self.rule))
    screen.test.press(.escape, .enter)
    screen.test.type("x")
    screen.test.press(.control("s"))
    #expect(screen.titles == ["Buy milk", "Call 世界", "Pay rent"])
    #expect((0..<24).contains { screen.test.line($0).contains(Self.rule.prefix(40)) })
  }

  @Test("sees what was refused after the fact, and has the text again")
  func banner() {
    let screen = screen(nil)
    screen.test.press(.character("a"))
    screen.test.type("Buy bread")
    screen.test.press(.enter)
    let key = screen.store.board().list("home")?.items.last?.key ?? ""
    let refused = [RefusedWrite(kind: "TodoItem", key: key, reason: "only read is granted")]
    screen.test.post(.status(StoreStatus(connection: .connected, access: Self.access, refused: refused)))
    #expect(screen.test.line(22).contains("New item: Buy bread"))
    #expect(screen.test.line(23).contains("the server refused 'Buy bread'; R shows what was refused"))
    screen.test.press(.escape, .character("R"))
    let shown = (0..<24).map { screen.test.line($0) }.joined(separator: "\n")
    #expect(shown.contains("Refused by the server"))
    #expect(shown.contains("Buy bread"))
    #expect(shown.contains("only read is granted"))
  }
}
