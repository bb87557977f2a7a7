import CommandLineKit
import Dispatch
import RealmSwift
import Synchronization
import TodoCore

/// The rights of a user to lists, and the user's writes that the server refused, as of the server's last answer. Used
/// from any thread.
final class AccessMonitor: Sendable {
  private struct State {
    var level: Access?
    var refused: [RefusedWrite] = []
    var changed: (@Sendable () -> Void)?
  }
  private let state: Mutex<State>
  private let folder: StateFolder

  let account: Account
  /// The path of the lists on the server.
  let path: String

  /// The number of refused writes that are remembered.
  private static let limit = 1_000

  /// A monitor that knows the last answer of an earlier run.
  ///
  /// - Throws: `CommandFailure` when the settings cannot be read.
  init(_ account: Account, path: String, folder: StateFolder) throws {
    (self.account, self.path, self.folder) = (account, path, folder)
    let known = try TodoSettings.load(folder).accessLevels?[account.text + " " + path]
    state = Mutex(State(level: path == account.listsPath ? .manage : known.flatMap(Access.init(rawValue:))))
  }

  private var isOwn: Bool { path == account.listsPath }

  /// The rights; nil as long as the server never told them.
  var access: StoreAccess? {
    let owner = path.split(separator: "/").last.map(String.init) ?? path
    return state.withLock { $0.level }.map {
      StoreAccess(user: account.name, place: isOwn ? path : "\(owner)'s lists", level: $0, isOwn: isOwn)
    }
  }
  var refused: [RefusedWrite] { state.withLock { $0.refused } }

  /// Sets the function that is called after each change, on any thread.
  func onChange(_ changed: @escaping @Sendable () -> Void) { state.withLock { $0.changed = changed } }

  /// Asks the server, and waits three seconds at most; a later answer still counts.
  func check() {
    let answered = ChangeSignal()
    DispatchQueue.global().async { [self] in
      // Their own lists users may always share.
      if let level = isOwn ? .manage : try? account.access(to: path) { set(level) }
      answered.raise()
    }
    answered.wait(seconds: 3)
  }

  /// Takes note of an error of the session: the writes that the server refused.
  func note(_ error: any Error) {
    guard let writes = (error as? SyncError)?.compensatingWriteInfo else { return }
    let refused = writes.map { write in
      let key = if case .string(let key) = write.primaryKey { key } else { "\(write.primaryKey)" }
      return RefusedWrite(kind: write.objectType, key: key, reason: write.reason)
    }
    state.withLock { $0.refused.append(contentsOf: refused.prefix(max(0, Self.limit - $0.refused.count))) }
    set(.read)
  }

  private func set(_ level: Access) {
    let changed = state.withLock { state in
      defer { state.level = level }
      return state.level == level && state.refused.isEmpty ? nil : state.changed
    }
    remember(level)
    changed?()
  }

  private func remember(_ level: Access) {
    let key = account.text + " " + path
    guard !isOwn, (try? TodoSettings.load(folder))?.accessLevels?[key] != level.rawValue else { return }
    try? TodoSettings.change(folder) {
      $0.accessLevels = ($0.accessLevels ?? [:]).merging([key: level.rawValue]) { $1 }
    }
  }
}
