import Foundation
import TerminalUI
import TerminalUITestSupport
import TestKit
import Testing
@testable import ChatCore

@Suite("The screen")
struct ScreenTests {
  @Test("shows rooms, messages, the input line and the status at 80 by 24")
  func picture() {
    let screen = ScreenOnStore()
    #expect(screen.test.line(0).hasPrefix(" chat # hall  public"))
    #expect(screen.test.line(1).hasPrefix(" # hall             │"))
    #expect(screen.test.line(2).hasPrefix(" ⌂ news             │"))
    #expect(screen.test.line(17) == "                    │── the beginning ──")
    #expect(screen.test.line(18) == "                    │── Thu 2026-11-26 ──")
    #expect(screen.test.line(19) == "                    │   08:00 bob hello")
    #expect(screen.test.line(20) == "                    │✓  08:01 ann hi bob")
    #expect(screen.test.line(22) == " > write a message")
    #expect(screen.test.line(23).hasPrefix(" ● connected, all sent"))
    #expect(screen.test.line(23).hasSuffix("ann@host  F1 help"))
  }

  @Test("sends what is typed, and marks it as it goes its way")
  func sending() {
    let screen = ScreenOnStore()
    screen.test.type("good morning 世界 👋")
    screen.test.press(.enter)
    let sent = screen.store.snapshot().messages.last
    #expect(sent?.body == "good morning 世界 👋")
    #expect(sent?.sent == Cast.date(60))
    #expect(screen.test.line(containing: "good morning")?.contains("…  09:00 ann good morning 世界 👋") == true)
    #expect(screen.test.line(22) == " > write a message")
    screen.elsewhere { $0.setDelivery(.sent, of: sent?.key ?? "") }
    #expect(screen.test.line(containing: "good morning")?.contains("✓  09:00") == true)
    screen.elsewhere { $0.setDelivery(.read, of: sent?.key ?? "") }
    #expect(screen.test.line(containing: "good morning")?.contains("✓✓ 09:00") == true)
  }

  @Test("says that the user may only read, and keeps the typed line")
  func readOnly() {
    let screen = ScreenOnStore()
    screen.test.press(.tab, .down)
    #expect(screen.program.roomKey == "n1")
    #expect(screen.test.line(0).contains(" read only"))
    screen.test.press(.enter)
    screen.test.type("hear me")
    screen.test.press(.enter)
    #expect(screen.test.text.contains("you may only read 'news': ask its administrator for write access"))
    #expect(screen.program.input.text == "hear me")
    #expect(screen.store.snapshot().messages.isEmpty)
  }

  @Test("a refused message comes back into the input line of its room, before what is written there")
  func refusal() {
    let screen = ScreenOnStore()
    for text in ["first", "second"] {
      screen.test.type(text)
      screen.test.press(.enter)
    }
    let posts = screen.store.snapshot().messages.suffix(2)
    screen.test.type("next")
    screen.elsewhere { store in
      for post in posts {
        store.remove(post.key)
        store.status.refusals.append(
          Refusal(
            kind: "Message",
            reason: "update is not granted on this object of class 'MessagePage'; ask \(post.body) owner",
            post: Post(key: post.key, room: "#hall", body: post.body, sent: post.sent)))
      }
    }
    #expect(screen.program.input.text == "first second next")
    #expect(screen.test.text.contains("the server refused 'first' and 1 more (Esc, R: why), given back below"))
    #expect(screen.test.bells == 1)
    screen.test.press(.escape, .character("R"))
    #expect(screen.test.text.contains("hall: first"))
    #expect(screen.test.text.contains("update is not granted"))
    #expect(screen.test.text.contains("second owner"), "reasons are shown to their end")
  }

  @Test("a refused message of another room is the draft there")
  func refusalElsewhere() {
    let screen = ScreenOnStore()
    screen.elsewhere { store in
      store.change { $0.changeRoom("p1") { $0.draft = "lost words" } }
      store.status.refusals.append(
        Refusal(
          kind: "Message", reason: "no",
          post: Post(key: "x", room: "p1", body: "lost words", sent: Cast.date(60))))
    }
    #expect(screen.program.input.text == "")
    #expect(screen.test.line(containing: "plans")?.contains("✎") == true)
    screen.test.press(.tab, .down, .down)
    #expect(screen.program.input.text == "lost words")
  }

  @Test("replies to the selected message, and shows what is answered")
  func replies() {
    let screen = ScreenOnStore()
    screen.test.press(.escape, .up, .character("r"))
    #expect(screen.test.text.contains("↳ answering bob: hello"))
    screen.test.type("welcome")
    screen.test.press(.enter)
    #expect(screen.store.snapshot().messages.last?.replyTo == "m1")
    #expect(screen.test.text.contains("↳ bob: hello"))
  }

  @Test("reacts with a character or a number, counts people, and takes the reaction back")
  func reactions() {
    let screen = ScreenOnStore(Cast.store([Cast.said("m1", "hello", reactions: [Reaction(emoji: "👍", author: "b2")])]))
    screen.test.press(.escape, .character("+"), .character("1"), .enter)
    #expect(screen.test.text.contains("👍 2"))
    screen.test.press(.character("+"))
    screen.test.type("no emoji")
    screen.test.press(.enter)
    #expect(screen.test.text.contains("'no emoji' is no reaction"))
    screen.test.press(.character("+"), .character("1"), .enter)
    #expect(screen.test.text.contains("👍 1"))
    #expect(screen.store.snapshot().messages[0].reactions == [Reaction(emoji: "👍", author: "b2")])
  }

  @Test("follows new messages, unless an earlier one is selected")
  func following() {
    let many = (0..<40).map { Cast.said("m\($0)", "line \($0)", at: $0) }
    let screen = ScreenOnStore(Cast.store(many))
    #expect(screen.test.line(20).hasSuffix("line 39"))
    screen.elsewhere { $0.arrive(Cast.said("m40", "line 40", at: 40), in: "#hall") }
    #expect(screen.test.line(20).hasSuffix("line 40"))
    screen.test.press(.escape, .up, .up)
    screen.elsewhere { $0.arrive(Cast.said("m41", "line 41", at: 41), in: "#hall") }
    #expect(screen.program.selectedMessage?.key == "m38")
    #expect(screen.test.line(20).hasSuffix("line 40"))
    screen.test.press(.end)
    #expect(screen.test.line(20).hasSuffix("line 41"))
  }

  @Test("goes by three messages with the wheel, and selects what is pressed")
  func mouse() {
    let screen = ScreenOnStore(Cast.store((0..<40).map { Cast.said("m\($0)", "line \($0)", at: $0) }))
    screen.test.send(.input(.mouse(Mouse(.wheelUp, at: Point(row: 10, column: 40)))))
    #expect(screen.program.selectedMessage?.key == "m36")
    screen.test.click(row: 17, column: 40)
    #expect(screen.program.selectedMessage?.body == "line 36")
    screen.test.click(row: 22, column: 10)
    screen.test.type("to the line")
    #expect(screen.program.input.text == "to the line")
    screen.test.click(row: 3, column: 5)
    #expect(screen.program.roomKey == "p1")
  }

  @Test("reports messages in sight as read once, and counts those of other rooms")
  func unread() {
    let screen = ScreenOnStore()
    #expect(screen.store.snapshot().room("#hall")?.readUpTo == Cast.date(0))
    _ = screen.test.takeEffects()
    screen.test.press(.escape, .up)
    screen.elsewhere { $0.arrive(Cast.said("m3", "new", at: 5), in: "#hall") }
    #expect(screen.test.takeEffects().isEmpty)
    screen.test.press(.end)
    #expect(screen.test.takeEffects() == [.perform(.markRead(room: "#hall", upTo: Cast.date(5)))])
    screen.elsewhere { $0.arrive(Cast.said("x", "psst", at: 6), in: "p1") }
    #expect(screen.test.line(0).contains(" 1 unread"))
    #expect(screen.test.line(3).hasSuffix("1 │   08:00 bob hello") || screen.test.line(3).contains("1 │"))
    screen.test.press(.control("n"))
    #expect(screen.program.roomKey == "p1")
    #expect(screen.test.text.contains("psst"))
  }

  @Test("draws a line before what is new since the room was opened")
  func newLine() {
    let store = Cast.store([Cast.said("m1", "old"), Cast.said("m2", "fresh", at: 3)])
    store.change { $0.changeRoom("#hall") { $0.readUpTo = Cast.date(1) } }
    let screen = ScreenOnStore(store)
    let new = (0..<24).first { screen.test.line($0).contains("── new ──") }
    #expect(new.map { screen.test.line($0 + 1).contains("fresh") } == true)
  }

  @Test("asks for earlier messages at the top, once")
  func older() {
    let store = Cast.store([Cast.said("m5", "five", at: 5)])
    store.earlier["#hall"] = [Cast.said("m1", "one", at: 1)]
    let screen = ScreenOnStore(store)
    #expect(screen.test.text.contains("Page Up for earlier messages"))
    screen.test.press(.pageUp)
    #expect(screen.test.takeEffects().contains(.older))
    #expect(screen.test.text.contains("one"))
    #expect(screen.test.text.contains("the beginning"))
    screen.test.press(.pageUp, .pageUp)
    #expect(!screen.test.takeEffects().contains(.older))
  }

  @Test("draws a line where messages between are not on this device")
  func gap() {
    let screen = ScreenOnStore(Cast.store([Cast.said("m1", "old"), Cast.said("m9", "new", at: 9)]))
    screen.elsewhere { store in store.change { $0.gaps = ["m9"] } }
    let line = (0..<24).first { screen.test.line($0).contains("others are not here") }
    #expect(line.map { screen.test.line($0 + 1).contains("new") } == true)
    #expect(line.map { screen.test.line($0 - 1).contains("old") } == true)
  }

  @Test("searches in all rooms, and opens the room of a hit at the message")
  func search() {
    let store = Cast.store()
    store.arrive(Cast.said("p", "the secret plan", at: 9), in: "p1")
    store.arrive(Cast.said("q", "and more", at: 10), in: "p1")
    let screen = ScreenOnStore(store)
    screen.test.press(.escape, .character("/"))
    screen.test.type("PLAN secret")
    screen.test.press(.enter)
    #expect(screen.test.text.contains("'PLAN secret': 1 found"))
    #expect(screen.test.text.contains("⌂ plans · bob: the secret plan"))
    screen.test.press(.enter)
    #expect(screen.program.roomKey == "p1")
    #expect(screen.program.selectedMessage?.key == "p")
  }

  @Test("a room that is taken away is told, and what is typed goes into no other")
  func goneRoom() {
    let screen = ScreenOnStore()
    screen.test.press(.tab, .down, .down, .enter)
    #expect(screen.program.roomKey == "p1")
    screen.test.type("a secr")
    screen.elsewhere { store in
      store.change {
        $0 = ChatSnapshot(
          me: $0.me, people: $0.people, rooms: $0.rooms.filter { $0.key != "p1" }, openRoom: $0.openRoom)
      }
    }
    #expect(screen.test.text.contains("'plans' is gone: you are no member any more"))
    screen.test.type("et")
    screen.test.press(.enter)
    #expect(screen.program.roomKey == nil)
    #expect(!screen.test.takeEffects().contains { if case .perform(.send) = $0 { true } else { false } })
    screen.test.press(.tab, .enter)
    #expect(screen.program.roomKey != nil)
    #expect(screen.program.input.text == "")
  }

  @Test("begins among the rooms where there is none, and in the input line of the first")
  func noRooms() {
    let screen = ScreenOnStore(MemoryChatStore(ChatSnapshot(me: Person(id: "a1", name: "ann"))))
    #expect(screen.test.line(2).hasPrefix(" n makes one"))
    screen.test.press(.character("n"))
    screen.test.type("hall")
    screen.test.press(.enter)
    screen.test.type("nobody here?")
    screen.test.press(.enter)
    #expect(screen.store.snapshot().messages.map(\.body) == ["nobody here?"])
  }

  @Test("keeps what is being written in each room")
  func drafts() {
    let screen = ScreenOnStore()
    screen.test.type("half a thought")
    screen.test.press(.tab, .down)
    #expect(screen.store.snapshot().room("#hall")?.draft == "half a thought")
    #expect(screen.program.input.text == "")
    screen.test.press(.up)
    #expect(screen.program.input.text == "half a thought")
  }

  @Test("makes public and private rooms, and opens one that is there")
  func rooms() {
    let screen = ScreenOnStore()
    screen.test.press(.escape, .character("n"))
    screen.test.type("  #garden ")
    screen.test.press(.enter)
    #expect(screen.program.roomKey == "#garden")
    screen.test.press(.escape, .character("n"))
    screen.test.type("garden")
    screen.test.press(.tab, .right, .enter)
    #expect(screen.program.room?.isPrivate == true)
    #expect(screen.program.room?.members == [Member(id: "a1", access: .manage)])
    screen.test.press(.escape, .character("n"))
    screen.test.type("hall")
    screen.test.press(.enter)
    #expect(screen.program.roomKey == "#hall")
  }
}
