import CommandLineKit
import Foundation
import Testing
@testable import ChatCore

@Suite("Commands")
struct CommandTests {
  @Test("without a word the screen opens; 'open' shows a room first")
  func screen() {
    let machine = FakeMachine()
    machine.run()
    machine.run("open", "plans")
    #expect(machine.log == ["screen -", "screen p1"])
    #expect(machine.run("open", "nowhere") == .failure)
    #expect(machine.errors.contains("there is no room 'nowhere', or you are no member"))
  }

  @Test("say something, from words or standard input, and read it back as JSON")
  func sending() throws {
    let machine = FakeMachine()
    #expect(machine.run("send", "hall", "good", "morning") == .success)
    #expect(machine.output == "said in 'hall'\n")
    machine.input = "two\nlines\n"
    machine.run("send", "#hall", "--reply", "last", "--json")
    #expect(machine.output.contains("\"sent\":true"))
    struct Said: Decodable { var body, author, delivery: String; var replyTo: String? }
    machine.run("read", "hall", "-n", "2", "--json")
    let said = try JSONDecoder().decode([Said].self, from: Data(machine.output.utf8))
    #expect(said.map(\.body) == ["good morning", "two\nlines"])
    #expect(said.map(\.author) == ["a1", "a1"])
    #expect(said[1].replyTo != nil)
  }

  @Test("call nothing sent that the server does not have")
  func offline() {
    let machine = FakeMachine()
    machine.store.outcome = .disconnected
    #expect(machine.run("send", "hall", "later") == .success)
    #expect(machine.output == "said in 'hall'; written here, not yet sent\n")
    #expect(machine.errors.contains("the server cannot be reached"))
    machine.run("send", "hall", "later", "--json")
    #expect(machine.output.contains("\"sent\":false"))
    machine.store.outcome = .notServed(.init("there is no such realm", remedy: "ask an administrator"))
    #expect(machine.run("send", "hall", "later") == .success)
    #expect(machine.output == "said in 'hall'; written here, not yet sent\n")
    #expect(
      machine.errors.hasSuffix(
        "note: there is no such realm; it waits on this machine\n  to do: ask an administrator\n"))
  }

  @Test("end with 1 and the reason when the server refuses a message, or the device knows that it would")
  func refused() {
    let machine = FakeMachine()
    machine.refusing = [Refusal(kind: "Message", reason: "update is not granted")]
    #expect(machine.run("send", "hall", "x") == .failure)
    #expect(machine.output == "")
    #expect(machine.errors.hasPrefix("error: the server refused it: update is not granted\n"))
    machine.refusing = []
    #expect(machine.run("send", "news", "x") == .failure)
    #expect(machine.errors == "error: you may only read 'news': ask its administrator for write access\n")
  }

  @Test("make rooms and members, pass administration on, and revoke")
  func members() {
    let machine = FakeMachine()
    machine.run("create-room", "quiet", "--private", "--json")
    #expect(machine.output.contains("\"private\":true"))
    #expect(machine.run("create-room", "hall") == .failure)
    machine.run("invite", "plans", "carol", "--read")
    #expect(machine.output == "Carol may now read in 'plans'\n")
    machine.run("grant", "plans", "carol", "--manage")
    #expect(machine.store.snapshot().room("p1")?.members.last == Member(id: "c3", access: .manage))
    machine.run("members", "plans", "--json")
    #expect(machine.output.contains("{\"id\":\"c3\",\"name\":\"Carol\",\"access\":\"manage\"}"))
    machine.run("grant", "plans", "carol", "--read", "--json")
    #expect(machine.output == #"{"room":"p1","person":"c3","access":"read","sent":true}"# + "\n")
    machine.run("revoke", "plans", "carol", "--json")
    #expect(machine.output == #"{"room":"p1","person":"c3","access":null,"sent":true}"# + "\n")
    #expect(machine.store.snapshot().room("p1")?.members.count == 2)
    #expect(machine.run("grant", "plans", "carol") == .failure)
    #expect(machine.errors == "error: Carol is no member of the room\n")
    machine.run("pass", "plans", "bob")
    #expect(machine.output == "bob administrates 'plans' now\n")
    #expect(machine.run("invite", "plans", "carol") == .failure)
    #expect(machine.run("invite", "plans", "carol", "--read", "--write") == .usage)
  }

  @Test("react, search, and print history page by page")
  func history() {
    let machine = FakeMachine()
    machine.run("react", "hall", "m2", "🎉")
    #expect(machine.errors.contains("no message here is 'm2'") == false)
    #expect(machine.store.snapshot().message("m2")?.reactions == [Reaction(emoji: "🎉", author: "a1")])
    machine.run("react", "hall", "last", "🎉", "--undo", "--json")
    #expect(machine.output == ##"{"room":"#hall","message":"m2","emoji":"🎉","on":false,"sent":true}"## + "\n")
    #expect(machine.store.snapshot().message("m2")?.reactions == [])
    #expect(machine.run("react", "hall", "m2", "words") == .usage)
    machine.run("search", "BOB")
    #expect(machine.output.contains("hi bob"))
    machine.store.earlier["#hall"] = [Cast.said("m0", "before", at: -9)]
    machine.run("read", "hall")
    #expect(machine.output.hasPrefix("07:51 bob: before\n08:00 bob: hello\n"))
    machine.run("watch", "hall", "--all", "--count", "2")
    #expect(machine.output == "07:51 bob: before\n08:00 bob: hello\n")
  }

  @Test("keep settings about a room, and the name")
  func settings() {
    let machine = FakeMachine()
    machine.run("settings", "plans", "--pin", "yes", "--colour", "3", "--draft", "so far", "--name", "Anne")
    let chat = machine.store.snapshot()
    #expect(chat.room("p1")?.isPinned == true)
    #expect(chat.room("p1")?.colour == 3)
    #expect(chat.room("p1")?.draft == "so far")
    #expect(chat.me.name == "Anne")
    #expect(machine.run("settings", "--pin", "yes") == .usage)
    machine.run("settings", "--json")
    #expect(machine.output.contains("\"name\":\"Anne\""))
  }

  @Test("tell the rules of the lock-down in their order, the realm last")
  func lockdown() {
    let machine = FakeMachine()
    machine.run("lockdown", "--json")
    #expect(machine.output.contains("{\"class\":\"Message\",\"withdrawn\":[\"query\",\"update\",\"delete\""))
    #expect(LockdownRule.all.last?.className == nil)
    #expect(LockdownRule.all.last?.losses == [.modifySchema, .setPermissions])
    #expect(LockdownRule.all.allSatisfy { $0.losses.contains(.setPermissions) })
  }

  @Test("log in and out, and tell the status")
  func account() {
    let machine = FakeMachine()
    #expect(machine.run("login") == .failure)
    machine.run("logout")
    #expect(machine.log == ["logout"])
    machine.run("status", "--json")
    #expect(machine.output.contains("\"connection\":\"connected\""))
    machine.run("offline")
    machine.run("status")
    #expect(machine.output.hasPrefix("ann@host: offline"))
  }
}
