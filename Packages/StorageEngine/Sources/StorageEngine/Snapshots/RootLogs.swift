/// What a version says of its logs: a ``LogState`` for each by name, as a map cell would hold them, so that thousands
/// are a tree beside the root.
final class RootLogs: Sendable {
  let content: [UInt8]
  let cell: MapCell
  /// Those that the transaction changed which made the version: who writes next asks for the same.
  private let changed: [String: LogState]

  static let empty = RootLogs(content: [], cell: .empty, changed: [:])

  private init(content: [UInt8], cell: MapCell, changed: [String: LogState]) {
    self.content = content
    self.cell = cell
    self.changed = changed
  }

  fileprivate convenience init(_ cell: MapCell, changed: [String: LogState]) {
    self.init(content: cell.content, cell: cell, changed: changed)
  }

  convenience init(_ content: [UInt8]) throws {
    self.init(content: content, cell: try content.withUnsafeBytes { try MapCell($0) }, changed: [:])
  }

  func state(of name: String, _ loader: NodeLoader) throws -> LogState? {
    if let state = changed[name] { return state }
    let map = StoredMap(cell, loader: loader)
    return try map.value(for: Array(name.utf8)).map { try LogState($0, of: name) }
  }

  /// Every log, in the order of their names.
  func all(_ loader: NodeLoader) throws -> [(name: String, state: LogState)] {
    var result: [(name: String, state: LogState)] = []
    try StoredMap(cell, loader: loader).forEach { key, value in
      let name = String(decoding: key, as: UTF8.self)
      result.append((name, try LogState(value, of: name)))
      return true
    }
    return result
  }
}

/// The states of logs within a write transaction.
final class LogStates {
  private let base: RootLogs
  private let store: NodeStore
  /// Of the logs that were changed.
  private var changed: [String: LogState] = [:]
  private var made: Int64 = 0

  init(_ base: RootLogs, store: NodeStore) {
    self.base = base
    self.store = store
  }

  func state(of name: String) throws -> LogState? { try changed[name] ?? base.state(of: name, store.loader) }

  /// The state of a log that is not there yet. None is ever taken away, so their count tells what number is free.
  func newState() throws -> LogState {
    LogState(number: Int64(try StoredMap(base.cell, loader: store.loader).count) + made + 1)
  }

  func set(_ state: LogState, of name: String, isNew: Bool) {
    changed[name] = state
    if isNew { made += 1 }
  }

  /// The names of the logs that were changed, with their states before.
  func before() throws -> [(name: String, state: LogState?)] {
    try changed.keys.map { ($0, try base.state(of: $0, store.loader)) }
  }

  /// Writes what changed.
  func finish() throws -> RootLogs {
    let editor = MapEditor(base.cell, store: store)
    for (name, state) in changed {
      try editor.set(Array(name.utf8), StoredValueCoding.encode(state.value))
    }
    return RootLogs(try editor.cell, changed: changed)
  }
}
