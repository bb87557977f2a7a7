import ChatCore
import CommandLineKit
import Foundation
import Synchronization
import TerminalUI

/// Runs the screen over a store: the one place where its effects happen.
enum ScreenOwner {
  static func run(_ store: any ChatStore, room: String?) throws {
    let screen = ChatScreen(
      chat: try store.snapshot(), status: store.status, room: room, now: { Date() },
      zone: { TimeZone.current.secondsFromGMT(for: $0) }, nextNumber: { UInt64.random(in: .min ... .max) })
    let terminal: CursesTerminal
    do {
      terminal = try CursesTerminal()
    } catch let error as TerminalError {
      throw CommandFailure(error.message, remedy: "'chat --help' shows the commands")
    }
    let runner = ProgramRunner(screen, on: terminal)
    let news = News(runner.mailbox)
    store.onChange { news.announce() }
    try runner.run { effect in
      // Snapshots are only read here, when all keys that were waiting have been taken: an earlier one would lack what
      // later keys have added.
      if effect == .reload { news.take() }
      for message in perform(effect, store) { runner.mailbox.post(message) }
      if effect != .reload { news.announce() }
    }
  }

  private static func perform(_ effect: ChatScreen.Effect, _ store: any ChatStore) -> [ChatScreen.Message] {
    do {
      switch effect {
      case .reload: return [.snapshot(try store.snapshot()), .status(store.status)]
      case .perform(let edit): try store.perform(edit)
      case .open(let room): try store.open(room: room)
      case .older: if try !store.older() { return [.notice("no earlier messages on this machine")] }
      case .search(let text): try store.search(text)
      case .setOffline(let isOffline): try store.setOffline(isOffline)
      case .retry: store.retry()
      }
    } catch {
      return [.failed("\(error)")]
    }
    return []
  }
}

/// Tells the screen of changes; those that come together count as one. Used from any thread.
private final class News: Sendable {
  private let isAnnounced = Mutex(false)
  private let mailbox: Mailbox<ChatScreen.Message>

  init(_ mailbox: Mailbox<ChatScreen.Message>) { self.mailbox = mailbox }

  func announce() {
    let isFirst = isAnnounced.withLock { isAnnounced in
      defer { isAnnounced = true }
      return !isAnnounced
    }
    if isFirst { mailbox.post(.changed) }
  }

  func take() { isAnnounced.withLock { $0 = false } }
}
