/// The states of logs within a write transaction. For one thread at a time.
final class LogStates {
  private let base: RootLogs
  private let store: NodeStore
  /// The changed logs.
  private var changed: [NamedLog] = []
  private var made: Int64 = 0

  init(_ base: RootLogs, store: NodeStore) {
    self.base = base
    self.store = store
  }

  func state(of name: String) throws -> LogState? { try changed[name] ?? base.state(of: name, store.loader) }

  /// The state of a new log. No log is ever removed, so their count tells the next number.
  func newState() throws -> LogState {
    LogState(number: Int64(try base.count(store.loader)) + made + 1)
  }

  func set(_ state: LogState, of name: String, isNew: Bool) {
    changed[name] = state
    if isNew { made += 1 }
  }

  /// The names of the changed logs, with their states before.
  func before() throws -> [(name: String, state: LogState?)] {
    try changed.map { ($0.name, try base.state(of: $0.name, store.loader)) }
  }

  /// The logs of the new version. Writes the tree if there is one.
  func finish() throws -> RootLogs {
    guard let tree = base.tree else {
      var logs = base.known
      for log in changed { logs[log.name] = log.state }
      if made > 0 { logs.sort { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) } }
      let few = RootLogs(few: logs)
      // About as a map cell decides, by its size in memory.
      return few.content.count <= inlineCollectionLimit ? few : try edited(.empty, logs)
    }
    return try edited(.tree(tree), changed)
  }

  /// A tree with the states of some logs.
  private func edited(_ cell: MapCell, _ logs: [NamedLog]) throws -> RootLogs {
    let editor = MapEditor(cell, store: store)
    for log in logs {
      try editor.set(Array(log.name.utf8), StoredValueCoding.encode(log.state.value))
    }
    guard case .tree(let tree) = try editor.cell else { return RootLogs(few: logs) }
    return RootLogs(many: tree, changed: changed)
  }
}
