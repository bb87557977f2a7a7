import Foundation
import Synchronization
import TerminalUI
import TerminalUITestSupport
@testable import TodoCore

/// A screen over a store in memory, to which its edits go at once.
final class ScreenOnStore {
  let store: MemoryTodoStore
  let test: TestTerminal<TodoScreen>

  init(
    _ board: Board = ScreenOnStore.board,
    status: StoreStatus = StoreStatus(connection: .connected, account: "ann@host"),
    rows: Int = 24, columns: Int = 80
  ) {
    let store = MemoryTodoStore(board)
    let counter = Mutex<UInt64>(0)
    let screen = TodoScreen(
      board: board, status: status, today: Day(text: "2026-11-20") ?? Day(number: 0),
      now: { Day(text: "2026-11-20")?.date ?? Date() },
      nextNumber: {
        counter.withLock {
          $0 += 1; return $0
        }
      })
    self.store = store
    test = TestTerminal(screen, rows: rows, columns: columns) { effect in
      guard case .perform(let edit, let purpose, let label) = effect else { return [] }
      do {
        let done = try store.perform(edit)
        return [.performed(done, purpose, label: label), .board(store.board())]
      } catch {
        return [.failed("\(error)"), .board(store.board())]
      }
    }
  }

  static let board = Board(lists: [
    ItemList(
      key: "home", name: "Home", order: 1,
      items: [
        Item(key: "a", fields: fields("Buy milk", priority: 1, due: "2026-11-19")),
        Item(key: "b", fields: fields("Call 世界", notes: "ask about the trip")),
        Item(key: "c", fields: fields("Pay rent", done: true)),
      ]),
    ItemList(key: "work", name: "Work", order: 2),
  ])

  /// An edit on another device.
  func elsewhere(_ edit: TodoEdit) throws {
    _ = try store.perform(edit)
    test.post(.board(store.board()))
  }

  var titles: [String] { store.board().list("home")?.items.map(\.title) ?? [] }
}
