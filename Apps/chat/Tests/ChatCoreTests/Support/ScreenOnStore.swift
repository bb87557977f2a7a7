import Foundation
import Synchronization
import TerminalUI
import TerminalUITestSupport
@testable import ChatCore

/// A screen over a store in memory, to which its edits go at once.
final class ScreenOnStore {
  let store: MemoryChatStore
  let test: TestTerminal<ChatScreen>

  init(_ store: MemoryChatStore = Cast.store(), rows: Int = 24, columns: Int = 80) {
    let counter = Mutex<UInt64>(0)
    let screen = ChatScreen(
      chat: store.snapshot(), status: store.status, now: { Cast.date(60) }, zone: { _ in 0 },
      nextNumber: {
        counter.withLock {
          $0 += 1
          return $0
        }
      })
    self.store = store
    test = TestTerminal(screen, rows: rows, columns: columns) { effect in
      do {
        switch effect {
        case .reload: break
        case .perform(let edit): try store.perform(edit)
        case .open(let room): store.open(room: room)
        case .older: _ = store.older()
        case .search(let text): store.search(text)
        case .setOffline(let isOffline): store.setOffline(isOffline)
        case .retry: return []
        }
        return [.snapshot(store.snapshot()), .status(store.status)]
      } catch {
        return [.failed("\(error)"), .snapshot(store.snapshot())]
      }
    }
  }

  var program: ChatScreen { test.program }

  /// Something happens on another device.
  func elsewhere(_ change: (MemoryChatStore) -> Void) {
    change(store)
    test.post(.snapshot(store.snapshot()))
    test.post(.status(store.status))
  }

  /// The lines of the screen, joined.
  var lines: [String] { (0..<24).map { test.line($0) } }
}
