import Foundation
import TerminalUI
import TerminalUITestSupport
import Testing
@testable import TodoCore

@Suite("Who has access")
struct ScreenUsersTests {
  static let users = [
    ListUser(name: "ann", access: .manage, sessions: 1, isOwner: true),
    ListUser(name: "ben", access: .write, sessions: 2, isSelf: true), ListUser(name: "carol", access: .read),
  ]

  @Test("is asked of the server with w, and shown with rights, presence and one's own place")
  func overlay() {
    let screen = ScreenOnStore(ScreenScopeTests.board)
    screen.test.post(
      .status(
        StoreStatus(connection: .connected, access: StoreAccess(user: "ben", place: "ann's lists", level: .write))))
    screen.test.press(.character("w"))
    screen.test.post(.users(Self.users))
    let text = screen.test.text
    for words in [
      "ann's lists", "you may read and change", "Here now", "owner, here now",
      "may change, here now on 2 devices, you", "Not here", "may read",
    ] {
      #expect(text.contains(words), "\(words)\n\(text)")
    }
    screen.test.press(.escape)
    #expect(!screen.test.text.contains("Not here"))
  }

  @Test("is not asked without a server, and an answer does not interrupt what was begun meanwhile")
  func untimely() {
    let screen = ScreenOnStore(ScreenScopeTests.board)
    screen.test.post(.status(StoreStatus(connection: .local)))
    screen.test.press(.character("w"))
    #expect(screen.test.text.contains("log in first"))
    screen.test.press(.character("a"))
    screen.test.post(.users(Self.users))
    #expect(!screen.test.text.contains("Here now"))
  }

  @Test("is printed by a command, for people and programs")
  func command() {
    let machine = FakeMachine()
    machine.users = Self.users
    #expect(machine.run("who") == .success)
    #expect(
      machine.output
        == "ann    owner, here now\nben    may change, here now on 2 devices, you\ncarol  may read\n")
    machine.run("who", "--json")
    #expect(
      machine.output
        .contains(#"{"name":"ben","access":"write","sessions":2,"owner":false,"you":true}"#))
  }
}
