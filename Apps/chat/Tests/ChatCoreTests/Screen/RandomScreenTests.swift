import Foundation
import TerminalUI
import TerminalUITestSupport
import TestKit
import Testing
@testable import ChatCore

@Suite("The screen under random keys and sizes")
struct RandomScreenTests {
  @Test("shows rooms and messages in turn where it is narrow, and survives any size")
  func sizes() {
    let screen = ScreenOnStore(rows: 10, columns: 40)
    #expect(screen.test.line(7).hasSuffix("hi bob") || screen.test.line(6).hasSuffix("hi bob"))
    screen.test.press(.tab)
    #expect(screen.test.line(1).hasPrefix(" # hall"))
    for mode in ["n", "?", "m", "/", "+", "N"] {
      screen.test.press(.escape, .escape, .tab, .character(Character(mode)))
      for rows in 0..<9 {
        for columns in [0, 1, 2, 5, 11, 30, 57, 200] { screen.test.resize(rows: rows, columns: columns) }
      }
    }
  }

  @Test("shows what the store has")
  func random() {
    let keys: [Key] =
      "nmpcrRe+i/uox?qjkhlNat123".map { .character($0) }
      + [
        .enter, .escape, .tab, .backTab, .up, .down, .left, .right, .home, .end, .pageUp, .pageDown, .delete,
        .backspace, .control("n"), .control("s"), .function(1),
      ]
    for seed in Seeds.some(12) {
      var random = SeededGenerator(seed: seed)
      let screen = ScreenOnStore(
        rows: Int.random(in: 1...24, using: &random), columns: Int.random(in: 1...90, using: &random))
      for step in 0..<60 {
        screen.test.press(keys.randomElement(using: &random) ?? .enter)
        if Int.random(in: 0..<9, using: &random) == 0 {
          let room = screen.store.snapshot().rooms.randomElement(using: &random)?.key ?? "#hall"
          screen.elsewhere { $0.arrive(Cast.said("s\(step)", "step \(step)", at: step), in: room) }
        }
        if Int.random(in: 0..<9, using: &random) == 0 { screen.test.type(HostileText.random(using: &random)) }
        guard !screen.test.hasQuit, let key = screen.program.roomKey else { continue }
        let store = screen.store.snapshot()
        #expect(store.openRoom == key, "SEED=\(seed) step \(step)")
        #expect(screen.program.chat.messages == store.messages, "SEED=\(seed) step \(step)")
        #expect(screen.program.chat.rooms == store.rooms, "SEED=\(seed) step \(step)")
      }
    }
  }
}
