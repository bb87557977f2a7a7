import Foundation
import TodoCore

final class PreviewBackend: TodoBackend {
  var isOffline = false
  func open(listsOf owner: String?) throws -> any SyncedStore { PreviewStore() }
  func login(password: String, register: Bool) throws -> String { "ann@localhost" }
  func checkLogin() throws {}
  func logout() throws {}
  func setOffline(_ isOffline: Bool) throws {}
}

final class PreviewStore: SyncedStore {
  let store = MemoryTodoStore(Board(lists: [
    ItemList(key: "g", name: "Groceries", order: 1, items: (1...40).map { Item(key: "\($0)", fields: ItemFields(title: "Item \($0) 世界 🎉 zażółć", priority: $0 % 4, due: Day(number: 20770 + $0), notes: $0 % 3 == 0 ? "note" : "")) }),
    ItemList(key: "h", name: "Home 家", order: 2),
  ]))
  var status = StoreStatus(connection: .connected, account: "ann@localhost")
  func board() throws -> Board { store.board() }
  func perform(_ edit: Edit) throws -> Performed { try store.perform(edit) }
  func onChange(_ changed: @escaping @Sendable () -> Void) {}
  func wait(for direction: WaitDirection, seconds: Double, isPatient: Bool) -> WaitOutcome { .done }
  func setOffline(_ isOffline: Bool) throws { status.connection = isOffline ? .offline : .connected }
  func retry() {}
  func sharing() -> @Sendable (String, Access?) throws -> Void { { _, _ in } }
  func close() {}
}
