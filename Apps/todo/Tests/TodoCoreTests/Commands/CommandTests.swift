import CommandLineKit
import Foundation
import Testing
@testable import TodoCore

@Suite("The command todo")
struct CommandTests {
  @Test("adds, completes, moves, edits and deletes items by number, key or title")
  func items() {
    let machine = FakeMachine()
    #expect(machine.run("add", "(A)", "Buy", "milk", "due:tomorrow") == .success)
    #expect(machine.output == "added 'Buy milk' to Inbox\n")
    machine.run("add", "Call mum", "--list", "Home", "--create", "--priority", "b", "--due", "fri", "--notes", "trip")
    machine.run("add", "Call dad", "-l", "home", "--first")
    #expect(machine.titles == [["Buy milk"], ["Call dad", "Call mum"]])
    #expect(
      machine.store.board().lists[1].items[1].fields
        == fields("Call mum", priority: 2, due: "2026-11-27", notes: "trip", created: "2026-11-20"))

    #expect(machine.run("done", "1") == .success)
    #expect(machine.output == "completed 'Buy milk'\n")
    #expect(machine.store.board().lists[0].items[0].completed != nil)
    machine.run("done", "--undo", "milk")
    #expect(
      machine.store.board().lists[0].items[0].fields
        == fields("Buy milk", priority: 1, due: "2026-11-21", created: "2026-11-20"))

    #expect(machine.run("move", "Call mum", "up") == .success)
    #expect(machine.output == "moved 'Call mum' to Home, number 1\n")
    machine.run("move", "mum", "--to", "inbox")
    #expect(machine.titles == [["Buy milk", "Call mum"], ["Call dad"]])
    machine.run("edit", "2", "--title", "Call mummy", "--due", "none")
    #expect(machine.output == "changed title, due date of 'Call mum'\n")
    machine.run("rm", "milk", "mummy")
    #expect(machine.titles == [[], ["Call dad"]])
  }

  @Test(
    "says what is wrong, and with which exit code",
    arguments: [
      (["done", "9"], ExitCode.failure, "error: there is no item 9 in 'Inbox', which has 2\n"),
      (["done", "-1"], .failure, "error: there is no item -1 in 'Inbox', which has 2\n"),
      (["rm", "nothing"], .failure, "error: no item is called 'nothing'; 'todo list' shows them\n"),
      (["rm", "same"], .failure, "error: 'same' means several items: 'same a', 'same b'; use a number or key\n"),
      (["list", "--list", "Nowhere"], .failure, "error: there is no list 'Nowhere'; 'todo lists' shows them\n"),
      (
        ["add", "x", "--list", "Inbix"], .failure,
        "error: there is no list 'Inbix'; did you mean 'Inbox'?\n  to do: 'todo lists' shows them; '--create' makes it\n"
      ),
      (["import", "gone.txt"], .failure, "error: cannot read 'gone.txt': no such file\n"),
      (["login"], .failure, "error: no user is named\n  to do: give '--user NAME'\n"),
      (["add", " "], .usage, "error: the item has no title\nTry 'todo add --help'.\n"),
      (
        ["add", "x", "--due", "soon"], .usage,
        "error: 'soon' is not valid for '--due': expected 2026-11-21, today, tomorrow, +3, fri or none\nTry 'todo add --help'.\n"
      ),
      (
        ["list", "--open", "--done"], .usage,
        "error: '--open' and '--done' exclude each other\nTry 'todo list --help'.\n"
      ),
      (["lsit"], .usage, "error: unknown command 'lsit'; did you mean 'list'?\nTry 'todo --help'.\n"),
    ])
  func mistakes(_ words: [String], _ code: ExitCode, _ errors: String) {
    let machine = FakeMachine()
    machine.run("add", "same a")
    machine.run("add", "same b")
    let result =
      switch words.count {
      case 1: machine.run(words[0])
      case 2: machine.run(words[0], words[1])
      case 3: machine.run(words[0], words[1], words[2])
      default: machine.run(words[0], words[1], words[2], words[3])
      }
    #expect(result == code)
    #expect(machine.errors == errors)
    #expect(machine.titles == [["same a", "same b"]])
  }

  @Test("prints lists for people and as JSON")
  func list() {
    let machine = FakeMachine()
    machine.run("add", "(A) Buy milk due:tomorrow")
    machine.run("add", "Call")
    machine.run("done", "Call")
    machine.run("list")
    #expect(machine.output == "Inbox\n  1 [ ] (A) Buy milk due:2026-11-21\n  2 [x] Call\n")
    machine.run("list", "--open", "--json")
    let key = machine.store.board().lists[0].items[0].key
    #expect(
      machine.output == """
        {"lists":[{"key":"inbox","name":"Inbox","items":[{"number":1,"key":"\(key)","title":"Buy milk","done":false,\
        "priority":"A","due":"2026-11-21","notes":"","created":"2026-11-20T00:00:00Z","completed":null}]}]}

        """)
    machine.run("lists")
    #expect(machine.output == "LIST   OPEN  DONE\nInbox     1     1\n")
  }

  @Test("imports a file, reports bad lines, and exports it again")
  func files() {
    let machine = FakeMachine()
    machine.files["todo.txt"] = Array("(A) one\nx 2026-11-01\ntwo due:never list:Home\n".utf8)
    #expect(machine.run("import", "todo.txt") == .success)
    #expect(machine.output == "imported 2 items into Home, Inbox; skipped 1 line\n")
    #expect(
      machine.errors == """
        todo.txt: line 2: no title in 'x 2026-11-01'; skipped
        todo.txt: line 3: 'due:never' is not a date of the form 2026-11-21; kept in the title

        """)
    #expect(machine.titles == [["one"], ["two due:never"]])
    machine.run("export", "out.md")
    #expect(
      machine.files["out.md"].map { String(decoding: $0, as: UTF8.self) }?.contains("# Home\n\n- [ ] two due:never")
        == true)
    machine.run("export", "--list", "Home", "--format", "csv")
    #expect(machine.output.hasPrefix("list,title,done,"))
    machine.files["-"] = Array("- [ ] three\n".utf8)
    #expect(machine.run("import", "-", "-l", "Hmoe") == .failure)
    #expect(
      machine.errors == "error: there is no list 'Hmoe'; did you mean 'Home'?\n"
        + "  to do: 'todo lists' shows them; '--create' makes it\n")
    #expect(machine.titles == [["one"], ["two due:never"]])
    machine.run("import", "-", "-l", "Work", "--create")
    #expect(machine.titles == [["one"], ["two due:never"], ["three"]])
    machine.files["empty"] = []
    #expect(machine.run("import", "empty") == .success)
    machine.files["bad.md"] = Array("just text".utf8)
    #expect(machine.run("import", "bad.md") == .failure)
  }

  @Test("refuses what is no text, and endings that name no format")
  func otherFiles() {
    let machine = FakeMachine()
    machine.files["random"] = [0xC3, 0x28, 0x41, 0x0A, 0x00, 0x9F, 0x02]
    #expect(machine.run("import", "random") == .failure)
    #expect(machine.errors.hasPrefix("error: random is no text: byte 5 is 0\n"))
    #expect(machine.titles == [])
    machine.files["latin1"] = Array("caf".utf8) + [0xE9, 0x0A]
    #expect(machine.run("import", "latin1") == .success)
    #expect(machine.titles == [["café"]])
    #expect(machine.run("export", "out.xml") == .failure)
    #expect(machine.errors.contains("use .txt, .md, .markdown, .csv or .tsv"))
    #expect(machine.files["out.xml"] == nil)
  }

  @Test("says when changes are still to be uploaded")
  func pending() {
    let machine = FakeMachine()
    machine.upload = .disconnected
    machine.status.pendingUploads = 2
    #expect(machine.run("add", "a") == .success)
    #expect(machine.output == "added 'a' to Inbox; saved here, not yet uploaded\n")
    #expect(
      machine.errors == "note: the server cannot be reached; 2 changes wait on this machine for the next connection\n")
    machine.run("offline")
    machine.upload = .notSyncing
    machine.run("add", "b")
    #expect(machine.errors == "note: offline; 2 changes wait for 'todo online'\n")
    #expect(machine.output == "added 'b' to Inbox; saved here, not yet uploaded\n")
    machine.run("add", "--json", "j")
    #expect(machine.output.contains(#""uploaded":false"#))
    machine.run("rm", "j")
    machine.upload = .notServed(.init("no permission for this realm", remedy: "ask ann"))
    #expect(machine.run("add", "k") == .success)
    #expect(
      machine.errors == "note: no permission for this realm; 2 changes wait on this machine\n  to do: ask ann\n")
    machine.run("rm", "k")
    machine.upload = .failed(.init("access denied", remedy: "ask ann"))
    #expect(machine.run("add", "c") == .failure)
    #expect(machine.errors == "error: access denied\n  to do: ask ann\n")
    #expect(machine.output == "")
    #expect(machine.titles == [["a", "b", "c"]])
    machine.download = .disconnected
    #expect(machine.run("list") == .success)
    #expect(machine.errors == "note: the server cannot be reached; what you see may be out of date\n")
    machine.upload = .done
    #expect(machine.run("sync") == .failure)
    machine.run("online")
    machine.download = .done
    #expect(machine.run("sync") == .success)
  }

  @Test("shares, logs in, and opens the lists of others")
  func account() {
    let machine = FakeMachine()
    machine.run("share", "bob")
    machine.run("share", "bob", "--manage")
    machine.run("share", "bob", "--revoke")
    #expect(machine.run("share", "bob", "--read", "--write") == .usage)
    machine.run("list", "--of", "bob")
    machine.run("--list", "Home")
    machine.run("logout")
    #expect(
      machine.log.filter { $0 != "close" } == [
        "share bob write", "share bob manage", "share bob none", "open bob", "screen Home", "logout",
      ])
  }

  @Test("watches until it has printed often enough")
  func watch() {
    let machine = FakeMachine()
    machine.run("add", "a")
    machine.run("watch", "--count", "1")
    #expect(machine.output == "Inbox\n  1 [ ] a\n")
  }
}
