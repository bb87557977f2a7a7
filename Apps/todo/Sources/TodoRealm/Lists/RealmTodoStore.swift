import Dispatch
import RealmSwift
import RecordStore
import TodoCore

/// Lists kept in a realm, with a copy for the screen that follows the realm change by change.
///
/// The realm is confined to a queue of its own, on which its collections are observed. Used by one thread.
final class RealmTodoStore: TodoStore {
  private let queue = DispatchQueue(label: "todo.lists")
  private let realm: Realm
  private var copy = ListsCopy()
  private var failure: (any Error)?
  private var tokens: [NotificationToken] = []
  private var changed: () -> Void = {}

  /// The session that keeps the realm in step; nil where the configuration names no server.
  let session: SyncSession?

  /// Opens the lists, creating them if there are none.
  ///
  /// - Throws: `Realm.Error` for the file, `SyncAuthError` and `TransportError` for what syncs it.
  init(_ configuration: Realm.Configuration) throws {
    var configuration = configuration
    configuration.objectTypes = [TodoList.self, TodoItem.self]
    realm = try queue.sync { [configuration, queue] in try Realm(configuration: configuration, queue: queue) }
    session = queue.sync { [realm] in realm.syncSession }
    queue.sync { observe() }
  }

  private func observe() {
    tokens = [
      realm.objects(TodoItem.self).observe { [weak self] change in
        self?.follow { try $0.items.apply(change) { $0.item } }
      },
      // A change of an item is not one of the list that it stands in.
      realm.objects(TodoList.self).observe(keyPaths: ["name", "order", "items"]) { [weak self] change in
        self?.follow { try $0.lists.apply(change) { ListsCopy.StoredList($0) } }
      },
    ]
    realm.refresh()
  }

  private func follow(_ change: (inout ListsCopy) throws -> Void) {
    do { try change(&copy) } catch { failure = error }
    changed()
  }

  /// Calls a function, on the store's queue, after each change of the realm here, in another process or elsewhere.
  func onChange(_ changed: @escaping @Sendable () -> Void) { queue.sync { self.changed = changed } }

  func board() throws -> Board {
    try queue.sync {
      realm.refresh()
      if let failure { throw failure }
      return copy.board
    }
  }

  func perform(_ edit: TodoEdit) throws -> Performed {
    try queue.sync {
      // A transaction begins with the newest version, of which the observers have heard: the copy is up to date.
      try realm.write {
        let plan = try EditPlan(edit, on: copy.board)
        for step in plan.steps { realm.perform(step) }
        return Performed(inverse: plan.inverse, skipped: plan.skipped)
      }
    }
  }

  /// Local transactions that the server has not acknowledged, counted now: `SyncStatus.pendingUploads` is counted some
  /// time after a commit, and commands print the number right after theirs.
  ///
  /// - Complexity: O(*n*) in the entries of the history that are not acknowledged.
  func pendingUploads() -> Int { queue.sync { (try? ClientHistory(realm.file).pendingCount()) ?? 0 } }
}
