import CommandLineKit
import Foundation
import TerminalUI
import TodoCore

/// Runs the screen over a store: the one place where its effects happen.
enum ScreenOwner {
  static func run(_ store: any SyncedStore, list: String?) throws {
    let screen = TodoScreen(
      board: try store.board(), status: store.status, today: Clock.today(), selecting: list, now: Clock.now,
      nextNumber: { UInt64.random(in: .min ... .max) })
    let terminal: CursesTerminal
    do {
      terminal = try CursesTerminal()
    } catch let error as TerminalError {
      throw CommandFailure(error.message, remedy: "'todo --help' shows the commands")
    }
    let runner = ProgramRunner(screen, on: terminal)
    let mailbox = runner.mailbox
    let changes = ChangeSignal()
    let announce: @Sendable () -> Void = { if changes.raise() { mailbox.post(.changed) } }
    store.onChange(announce)
    // Rights may change while the screen is open.
    let check = store.accessCheck()
    let askForAccess: @Sendable () -> Void = {
      check()
      announce()
    }
    DispatchQueue.global().async(execute: askForAccess)
    let access = Ticker(seconds: 20, askForAccess)
    defer { withExtendedLifetime(access) {} }
    let day = Ticker(seconds: 60) { mailbox.post(.day(Clock.today())) }
    defer { withExtendedLifetime(day) {} }
    try runner.run { effect in
      // Boards are only read here, when all keys that were waiting have been taken: an earlier board would
      // lack what later keys have added.
      if effect == .reload { changes.take() }
      for message in perform(effect, store, mailbox) { mailbox.post(message) }
      if effect != .reload { announce() }
    }
  }

  private static func perform(
    _ effect: TodoScreen.Effect, _ store: any SyncedStore, _ mailbox: Mailbox<TodoScreen.Message>
  ) -> [TodoScreen.Message] {
    do {
      switch effect {
      case .reload: return [.board(try store.board()), .status(store.status)]
      case .perform(let edit, let purpose, let label):
        let performed = try store.perform(edit)
        return [.performed(performed, purpose, label: label)]
      case .setOffline(let isOffline):
        try store.setOffline(isOffline)
        return []
      case .retry:
        store.retry()
        return []
      case .askForUsers:
        let ask = store.asking()
        Thread.detachNewThread {
          do { mailbox.post(.users(try ask())) } catch { mailbox.post(.failed("\(error)")) }
        }
        return []
      case .share(let user, let access):
        // The server is asked on another thread, so that the screen stays alive.
        let share = store.sharing()
        Thread.detachNewThread {
          do {
            try share(user, access)
            mailbox.post(.notice("\(user) may now \(access.rawValue) your lists"))
          } catch {
            mailbox.post(.failed("\(error)"))
          }
        }
        return []
      }
    } catch {
      return [.failed("\(error)")]
    }
  }
}
