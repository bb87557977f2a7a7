import CommandLineKit
import Foundation
import TerminalUI
import TerminalUITestSupport
import TestKit
import Testing
@testable import ChatCore

@Suite("Hostile messages, names and reasons")
struct HostileTextTests {
  /// Every command that prints something of a room, of a server or of its own words.
  static func commands(_ text: String) -> [[String]] {
    [
      ["rooms"], ["people"], ["members", "room"], ["read", "room"], ["search", "x"], ["search", text], ["status"],
      ["online"], ["offline"], ["settings"], ["settings", "room"], ["settings", "room", "--draft", text],
      ["settings", "--name", text], ["send", "room", text], ["send", text, "x"],
      ["send", "room", "x", "--reply", text],
      ["create-room", text], ["create-room", text, "--private"], ["invite", "room", text], ["invite", text, "x"],
      ["grant", "room", "b2"], ["revoke", "room", text], ["revoke", "room", "b2"], ["pass", "room", "b2"],
      ["react", "room", "last", text], ["react", "room", text, "👍"], ["watch", "room", "--all", "--count", "1"],
      ["open", text], ["login", "--user", text], ["logout"], ["lockdown"], [text], ["--" + text], ["--help"],
    ]
  }

  static func machine(_ text: String) -> FakeMachine {
    let machine = FakeMachine()
    let room = Room(
      key: "room", name: text, isPrivate: true, access: .manage,
      members: [Member(id: "a1", access: .manage), Member(id: "b2", access: .write)], draft: text)
    let chat = ChatSnapshot(
      me: Person(id: "a1", name: text), people: [Person(id: "a1", name: text), Person(id: "b2", name: text)],
      rooms: [room], openRoom: "room")
    let reaction = Reaction(emoji: text, author: "b2")
    machine.store = MemoryChatStore(
      chat, messages: ["room": [Cast.said("k" + text, text + "x", replyTo: "k" + text, reactions: [reaction])]])
    machine.store.status = ChatStatus(
      connection: .connected, problem: .init(text, remedy: text), account: text,
      refusals: [Refusal(kind: text, reason: text, post: Post(key: "p", room: "room", body: text, sent: Cast.start))])
    return machine
  }

  @Test("never reach the terminal raw", arguments: HostileText.table)
  func commands(_ text: String) {
    for words in Self.commands(text) {
      let machine = Self.machine(text)
      machine.run(words)
      #expect(HostileText.harm(in: machine.output) == nil, "\(words)")
      #expect(HostileText.harm(in: machine.errors) == nil, "\(words)")
      machine.store.outcome = .failed(.init(text, remedy: text))
      machine.run(words)
      #expect(HostileText.harm(in: machine.errors) == nil, "\(words), failing")
      let refused = Self.machine(text)
      refused.refusing = [Refusal(kind: text, reason: text)]
      refused.run(words)
      #expect(HostileText.harm(in: refused.errors) == nil, "\(words), refused")
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

  @Test("are exact in JSON", arguments: HostileText.table)
  func exact(_ text: String) throws {
    struct Said: Decodable { var body: String }
    let machine = Self.machine(text)
    machine.run("read", "room", "--json")
    let said = try JSONDecoder().decode([Said].self, from: Data(machine.output.utf8))
    #expect(said.map { Array($0.body.utf8) } == [Array((text + "x").utf8)])
    #expect(HostileText.harm(in: machine.output) == nil)
  }

  @Test("are drawn on the screen as what they are", arguments: HostileText.table)
  func screen(_ text: String) {
    let screen = ScreenOnStore(Self.machine(text).store)
    func drawn() -> String { screen.lines.joined(separator: "\n") }
    #expect(HostileText.harm(in: drawn()) == nil)
    screen.test.post(.failed(text))
    #expect(HostileText.harm(in: drawn()) == nil)
    for key in ["m", "R", "N"] as [Character] {
      screen.test.press(.escape, .escape, .tab, .character(key))
      #expect(HostileText.harm(in: drawn()) == nil, "\(key)")
    }
    screen.test.press(.escape, .character("/"), .character("x"), .enter)
    #expect(HostileText.harm(in: drawn()) == nil)
    screen.elsewhere { store in
      let post = Post(key: "q", room: "room", body: text, sent: Cast.start)
      store.status.refusals.append(Refusal(kind: text, reason: text, post: post))
    }
    #expect(HostileText.harm(in: drawn()) == nil)
  }
}
