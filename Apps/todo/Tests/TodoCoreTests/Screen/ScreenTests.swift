import Foundation
import TerminalUI
import TerminalUITestSupport
import TestKit
import Testing
@testable import TodoCore

@Suite("The screen")
struct ScreenTests {
  @Test("shows lists, items, and the status at 80 by 24")
  func picture() {
    let screen = ScreenOnStore()
    #expect(screen.test.line(0).hasPrefix(" todo Home  2 open, 1 done"))
    #expect(screen.test.line(1) == " Home             2 │ [ ] A Buy milk                                 2026-11-19")
    #expect(screen.test.line(2) == " Work               │ [ ]   Call 世界                                         ≡")
    #expect(screen.test.line(3) == "                    │ [x]   Pay rent")
    #expect(screen.test.line(23) == " ● connected, all changes uploaded                     ann@host  ? help  q quit")
    #expect(screen.test.screen.cell(row: 1, column: 25).style.attributes.contains(.reverse))
  }

  @Test("keeps the selection on the same item while others edit")
  func selection() throws {
    let screen = ScreenOnStore()
    screen.test.press(.down)
    try screen.elsewhere(.createItems([Item(key: "n", fields: fields("new"))], list: "home", at: .first))
    #expect(screen.test.program.selectedItem?.key == "b")
    #expect(screen.test.program.items.selected == 2)
    try screen.elsewhere(.moveItem(key: "b", list: "home", at: .last))
    #expect(screen.test.program.items.selected == 3)
    try screen.elsewhere(.deleteItems(["b"]))
    #expect(screen.test.program.selectedItem?.key == "c")
    try screen.elsewhere(.deleteList(key: "home"))
    #expect(screen.test.program.list?.key == "work")
    #expect(screen.test.program.selectedItem == nil)
  }

  @Test("filters by text and state")
  func filter() {
    let screen = ScreenOnStore()
    screen.test.press(.character("/"))
    screen.test.type("TRIP call")
    #expect(screen.test.program.visibleItems.map(\.key) == ["b"])
    screen.test.press(.enter)
    #expect(screen.test.line(0).contains("filter: TRIP call"))
    screen.test.press(.escape, .character("f"))
    #expect(screen.test.program.visibleItems.map(\.key) == ["a", "b"])
    screen.test.press(.character("f"))
    #expect(screen.test.program.visibleItems.map(\.key) == ["c"])
    screen.test.press(.character("a"))
    screen.test.type("new")
    screen.test.press(.enter)
    #expect(screen.test.program.filter.isOff)
  }

  @Test("says how it stands with the server, and what to do")
  func status() {
    let screen = ScreenOnStore()
    screen.test.post(.status(StoreStatus(connection: .disconnected, pendingUploads: 3, account: "ann@host")))
    #expect(screen.test.line(23).contains("○ no connection, trying again, 3 changes to upload"))
    screen.test.post(.status(StoreStatus(connection: .connected, pendingUploads: 1, progress: 0.5)))
    #expect(screen.test.line(23).contains("connected, syncing 50%, 1 change to upload"))
    screen.test.post(
      .status(StoreStatus(connection: .disconnected, problem: .init("access denied", remedy: "log in again"))))
    #expect(screen.test.line(23).contains("! access denied: log in again"))
    screen.test.post(.status(StoreStatus(connection: .offline)))
    screen.test.press(.character("o"))
    #expect(screen.test.takeEffects() == [.setOffline(false)])
    screen.test.post(.status(StoreStatus(connection: .local)))
    screen.test.press(.character("s"))
    #expect(screen.test.text.contains("log in first"))
  }

  @Test("shares with another user")
  func share() {
    let screen = ScreenOnStore()
    screen.test.press(.character("s"), .enter)
    #expect(screen.test.text.contains("a user is needed"))
    screen.test.type("bob")
    screen.test.press(.tab, .right, .enter)
    #expect(screen.test.takeEffects() == [.share(user: "bob", .manage)])
  }

  @Test("shows lists and items in turn where it is narrow, and survives any size")
  func sizes() {
    let screen = ScreenOnStore(columns: 40)
    #expect(screen.test.line(1).hasPrefix(" [ ] A Buy milk"))
    screen.test.press(.tab)
    #expect(screen.test.line(1).hasPrefix(" Home"))
    for mode in ["a", "?", "e", "s", "/", "m", "d"] {
      screen.test.press(.escape, .escape, .character(Character(mode)))
      for rows in 0..<9 {
        for columns in [0, 1, 2, 5, 11, 30, 57, 200] { screen.test.resize(rows: rows, columns: columns) }
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
      let screen = ScreenOnStore(
        rows: Int.random(in: 1...24, using: &random), columns: Int.random(in: 1...90, using: &random))
      for _ in 0..<60 {
        screen.test.press(keys.randomElement(using: &random) ?? .enter)
        if Int.random(in: 0..<15, using: &random) == 0 { try? screen.elsewhere(random.edit(on: screen.store.board())) }
        if Int.random(in: 0..<9, using: &random) == 0 { screen.test.type(random.nastyText(lines: false)) }
        #expect(screen.test.program.board == screen.store.board(), "SEED=\(Seeds.seed ?? 1) run \(run)")
      }
    }
  }
}
