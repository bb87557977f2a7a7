import Foundation
import TerminalUITestSupport
import Testing
@testable import TerminalUI

@Suite("A program")
struct ProgramTests {
  @Test("changes by events and is drawn from what it is")
  func testTerminal() {
    let test = TestTerminal(Counter(), rows: 3, columns: 12)
    #expect(test.text == "count: 0\n        3x12\n")
    test.press(.up, .up)
    #expect(test.line(0) == "count: 2")
    #expect(test.changedCells == 1)
    test.post(40)
    #expect(test.line(0) == "count: 42")
    test.press(.character("s"))
    #expect(test.takeEffects() == [.save(42)])
    test.resize(rows: 2, columns: 9)
    #expect(test.text == "count: 42\n      2x9")
    test.press(.down)
    #expect(test.bells == 1)
    test.press(.character("q"), .up)
    #expect(test.hasQuit)
    #expect(test.program.count == 42)
  }

  @Test("is woken by a message from another thread")
  func runner() throws {
    let terminal = try ScriptedTerminal(ends: { $0.contains("count: 8") })
    let runner = ProgramRunner(Counter(), on: terminal)
    let mailbox = runner.mailbox
    // A thread, no task: run waits on the thread of this test, and a task could need that one.
    Thread.detachNewThread { for _ in 0..<4 { mailbox.post(2) } }
    let end = try runner.run { _ in }
    #expect(end.count == 8)
    #expect(terminal.isClosed)
  }

  @Test("gives the terminal back when an effect fails")
  func failure() throws {
    struct Failure: Error {}
    let terminal = try ScriptedTerminal(events: [.key(.character("s"))], ends: { _ in false })
    let runner = ProgramRunner(Counter(), on: terminal)
    #expect(throws: Failure.self) { try runner.run { _ in throw Failure() } }
    #expect(terminal.isClosed)
  }

  @Test("receives every message once, in the order of its sender")
  func mailbox() async throws {
    let mailbox = Mailbox<Int>(selfPipe: try SelfPipe())
    await withTaskGroup(of: Void.self) { group in
      for sender in 0..<4 { group.addTask { for number in 0..<250 { mailbox.post(sender * 1000 + number) } } }
    }
    let messages = mailbox.takeAll()
    #expect(messages.count == 1000)
    for sender in 0..<4 {
      #expect(messages.filter { $0 / 1000 == sender } == (0..<250).map { sender * 1000 + $0 })
    }
    #expect(mailbox.takeAll().isEmpty)
  }
}

/// A terminal that sleeps on its selfPipe and ends when a picture says so.
final class ScriptedTerminal: Terminal {
  let size = Size(rows: 2, columns: 20)
  let selfPipe: SelfPipe
  private(set) var isClosed = false
  private var events: [InputEvent]
  private var isEnding = false
  private let ends: (String) -> Bool

  init(events: [InputEvent] = [], ends: @escaping (String) -> Bool) throws {
    selfPipe = try SelfPipe()
    self.events = events
    self.ends = ends
  }

  func wait() throws -> TerminalOccurrences {
    if isEnding { return TerminalOccurrences(isEnding: true) }
    if !events.isEmpty { return TerminalOccurrences(events: [events.removeFirst()]) }
    selfPipe.sleepForTests()
    return TerminalOccurrences()
  }

  func show(_ picture: CellBuffer, cursor: Point?) { isEnding = ends(picture.text) }
  func redraw() {}
  func suspend() {}
  func bell() {}
  func close() { isClosed = true }
}
