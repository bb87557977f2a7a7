import Foundation
import TerminalUI
import TerminalUITestSupport
import Testing
@testable import ChatCore

@Suite("The members of a private room, on the screen")
struct MemberScreenTests {
  private func screen(_ room: String) -> ScreenOnStore {
    let screen = ScreenOnStore()
    screen.test.press(.tab)
    while screen.program.roomKey != room { screen.test.press(.down) }
    return screen
  }

  @Test("are added by name, with a right")
  func adding() {
    let screen = screen("p1")
    screen.test.press(.character("m"))
    #expect(screen.test.text.contains("Members of plans"))
    #expect(screen.test.text.contains("ann (you)"))
    screen.test.press(.character("a"))
    screen.test.type("nobody")
    screen.test.press(.enter)
    #expect(screen.test.text.contains("nobody has this name"))
    screen.test.press(.control("u"))
    screen.test.type("carol")
    screen.test.press(.tab, .tab, .enter)
    #expect(screen.store.snapshot().room("p1")?.members.last == Member(id: "c3", access: .read))
  }

  @Test("are picked from those who are none yet, by arrows or by a part of the name")
  func picking() {
    let store = MemoryChatStore(
      ChatSnapshot(
        me: Cast.ann,
        people: [Cast.ann, Cast.bob, Cast.carol, Person(id: "d4", name: "oscar"), Person(id: "e5", name: "Carol")],
        rooms: [Cast.plans], openRoom: "p1"), messages: [:])
    let screen = ScreenOnStore(store)
    screen.test.press(.tab, .character("m"), .character("a"))
    let text = screen.test.text
    #expect(text.contains("Add a member"))
    for name in ["Carol", "oscar", "c3", "e5"] { #expect(text.contains(name), "\(name)") }
    #expect(!text.contains("bob  "), "who is a member is not offered")
    screen.test.type("car")
    // Names that begin with the words come before others that have them.
    screen.test.press(.down, .down)
    #expect(screen.test.text.contains("may read and write in 'plans'"))
    screen.test.press(.enter)
    #expect(screen.store.snapshot().room("p1")?.members.last == Member(id: "d4", access: .write))
    screen.test.press(.character("a"))
    screen.test.type("e5")
    screen.test.press(.tab, .enter)
    #expect(screen.store.snapshot().room("p1")?.members.last == Member(id: "e5", access: .manage))
    screen.test.press(.character("a"))
    screen.test.type("bob")
    screen.test.press(.enter)
    #expect(screen.test.text.contains("bob is a member already"))
    screen.test.press(.escape)
    #expect(screen.test.text.contains("Members of plans"))
  }

  @Test("get other rights, and lose them after a question")
  func changing() {
    let screen = screen("p1")
    screen.test.press(.character("m"), .down, .right)
    #expect(screen.store.snapshot().room("p1")?.members.last == Member(id: "b2", access: .manage))
    screen.test.press(.right)
    #expect(screen.store.snapshot().room("p1")?.members.last == Member(id: "b2", access: .manage))
    screen.test.press(.left, .left, .left)
    #expect(screen.store.snapshot().room("p1")?.members.last == Member(id: "b2", access: .read))
    screen.test.press(.character("d"))
    #expect(screen.test.text.contains("bob loses the room with everything in it."))
    screen.test.press(.character("r"))
    #expect(screen.store.snapshot().room("p1")?.members == [Member(id: "a1", access: .manage)])
  }

  @Test("get the administration, and the last administrator keeps it")
  func passing() {
    let screen = screen("p1")
    screen.test.press(.character("m"), .character("d"))
    #expect(screen.test.text.contains("'plans' needs an administrator: pass administration on first"))
    screen.test.press(.down, .character("t"), .right, .enter)
    let room = screen.store.snapshot().room("p1")
    #expect(room?.access == .write)
    #expect(room?.managers.map(\.id) == ["b2"])
    screen.test.press(.character("m"), .character("a"))
    #expect(screen.test.text.contains("you may not change the members of 'plans': ask its administrator"))
  }

  @Test("of a public room are everyone")
  func publicRoom() {
    let screen = screen("#hall")
    screen.test.press(.character("m"))
    #expect(screen.test.text.contains("'hall' is public: everyone is a member"))
  }
}
