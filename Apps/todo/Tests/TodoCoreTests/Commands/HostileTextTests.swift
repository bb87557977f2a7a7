import CommandLineKit
import Foundation
import TerminalUI
import TerminalUITestSupport
import TestKit
import Testing
@testable import TodoCore

@Suite("Hostile titles, names and messages")
struct HostileTextTests {
  /// Every command that prints something of a board, of a server or of its own words.
  static func commands(_ text: String) -> [[String]] {
    [
      ["list"], ["list", "--open"], ["lists"], ["watch", "--count", "1"], ["status"], ["sync"], ["online"], ["offline"],
      ["add", text], ["add", "x", "--list", text], ["add", "x", "--due", text], ["add", "x", "--priority", text],
      ["edit", "1", "--title", text], ["edit", "1", "--notes", text], ["done", "1"], ["done", "--undo", "1"],
      ["done", text], ["move", "1", "last"], ["move", "1", text], ["move", "1", "--to", text], ["rm", "1"],
      ["rm", text],
      ["list", "--list", text], ["export", "out.md"], ["export", text], ["import", text], ["import", "in.txt"],
      ["share", text], ["share", text, "--revoke"], ["login", "--user", text], ["logout"], [text], ["--" + text],
      ["list", "--of", text], ["--help"], ["add", "--help"],
    ]
  }

  static func machine(_ text: String) -> FakeMachine {
    let machine = FakeMachine()
    let item = Item(key: "k" + text, fields: fields(text, notes: text))
    let list = ItemList(key: "l" + text, name: text.isEmpty ? "x" : text, order: 0, items: [item, item, item])
    machine.store = MemoryTodoStore(Board(lists: [list]))
    machine.status.account = text
    machine.status.problem = .init(text, remedy: text)
    machine.files["in.txt"] = Array((text + "\nx 2026-11-01\n").utf8)
    return machine
  }

  @Test("never reach the terminal raw", arguments: HostileText.table)
  func commands(_ text: String) {
    for words in Self.commands(text) {
      let machine = Self.machine(text)
      machine.run(words)
      #expect(HostileText.harm(in: machine.output) == nil, "\(words)")
      #expect(HostileText.harm(in: machine.errors) == nil, "\(words)")
      machine.upload = .failed(.init(text, remedy: text))
      machine.download = .failed(.init(text, remedy: text))
      machine.run(words)
      #expect(HostileText.harm(in: machine.errors) == nil, "\(words), failing")
    }
  }

  @Test("never reach the terminal raw, whatever they are")
  func seeds() {
    for seed in Seeds.some(40) {
      var random = SeededGenerator(seed: seed)
      let text = HostileText.random(using: &random)
      for words in Self.commands(text) {
        let machine = Self.machine(text)
        machine.run(words)
        #expect(HostileText.harm(in: machine.output + machine.errors) == nil, "SEED=\(seed) \(words)")
      }
    }
  }

  @Test("are exact in JSON, and in a file", arguments: HostileText.table)
  func exact(_ text: String) throws {
    struct Answer: Decodable {
      struct List: Decodable {
        struct Item: Decodable { var title: String }
        var name: String
        var items: [Item]
      }
      var lists: [List]
    }
    let machine = Self.machine(text)
    machine.run("list", "--json")
    let list = try JSONDecoder().decode(Answer.self, from: Data(machine.output.utf8)).lists[0]
    #expect(Array(list.name.utf8) == Array(text.utf8))
    #expect(Array(list.items[0].title.utf8) == Array(text.utf8))
    #expect(HostileText.harm(in: machine.output) == nil)
    machine.run("export", "out.csv")
    let file = machine.files["out.csv"].map { String(decoding: $0, as: UTF8.self) } ?? ""
    #expect(file.contains(text))
  }

  @Test("are drawn on the screen as what they are", arguments: HostileText.table)
  func screen(_ text: String) {
    let board = Board(lists: [
      ItemList(key: "a", name: text, order: 1, items: [Item(key: "b", fields: fields(text, notes: text))])
    ])
    let status = StoreStatus(connection: .connected, problem: .init(text, remedy: text), account: text)
    let screen = ScreenOnStore(board, status: status)
    func drawn() -> String { (0..<24).map { screen.test.line($0) }.joined(separator: "\n") }
    #expect(HostileText.harm(in: drawn()) == nil)
    screen.test.post(.failed(text))
    #expect(HostileText.harm(in: drawn()) == nil)
    screen.test.press(.character("e"))
    #expect(HostileText.harm(in: drawn()) == nil)
    screen.test.press(.escape, .character("d"))
    #expect(HostileText.harm(in: drawn()) == nil)
  }
}
