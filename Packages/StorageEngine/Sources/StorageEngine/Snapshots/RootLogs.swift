/// What a version says of its logs: a ``LogState`` for each by name, as a map cell would hold them, so that thousands
/// are a tree beside the root.
final class RootLogs: Sendable {
  let content: [UInt8]
  /// Where they are when they are many; nil while they stand in the root.
  let tree: TreeRoot?
  /// All of them while they stand in the root, in the order of a map; of those in a tree the ones that the transaction
  /// changed which made the version: who writes next asks for the same.
  fileprivate let known: [NamedLog]

  static let empty = RootLogs(few: [])

  private init(_ content: [UInt8], _ tree: TreeRoot?, known: [NamedLog]) {
    self.content = content
    self.tree = tree
    self.known = known
  }

  /// Logs that stand in the root.
  fileprivate convenience init(few logs: [NamedLog]) { self.init(Self.encoded(logs), nil, known: logs) }

  /// Logs in a tree.
  fileprivate convenience init(many tree: TreeRoot, changed: [NamedLog]) {
    self.init(MapCell.tree(tree).content, tree, known: changed)
  }

  convenience init(_ content: [UInt8]) throws {
    switch try content.withUnsafeBytes({ try MapCell($0) }) {
    case .tree(let tree): self.init(content, tree, known: [])
    case .inline(let block):
      let logs = try (0..<block.count).map { index in
        let name = String(decoding: block.key(index), as: UTF8.self)
        let value = try block.content(index).withUnsafeBytes { try StoredValueCoding.decode($0) }
        return NamedLog(name: name, state: try LogState(value, of: name))
      }
      self.init(content, nil, known: logs)
    }
  }

  /// What a map cell says that holds few logs, in the order of a map.
  private static func encoded(_ logs: [NamedLog]) -> [UInt8] {
    guard !logs.isEmpty else { return [] }
    var writer = NodeWriter(capacity: logs.reduce(16) { $0 + $1.name.utf8.count + LogState.mostBytes })
    MapCell.beginInline(logs.count, into: &writer)
    for log in logs {
      writer.string(log.name)
      log.state.encode(into: &writer)
    }
    return writer.bytes
  }

  func state(of name: String, _ loader: NodeLoader) throws -> LogState? {
    if let state = known[name] { return state }
    guard let tree else { return nil }
    return try StoredMap(.tree(tree), loader: loader).value(for: Array(name.utf8)).map { try LogState($0, of: name) }
  }

  func count(_ loader: NodeLoader) throws -> Int {
    guard let tree else { return known.count }
    return try StoredMap(.tree(tree), loader: loader).count
  }

  /// Every log, in the order of their names.
  func all(_ loader: NodeLoader) throws -> [(name: String, state: LogState)] {
    guard let tree else { return known.map { ($0.name, $0.state) } }
    var result: [(name: String, state: LogState)] = []
    try StoredMap(.tree(tree), loader: loader).forEach { key, value in
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
  // Unchecked: a transaction is used by one thread, which reads or writes each of these at once.
  /// Of the logs that were changed.
  @exclusivity(unchecked) private var changed: [NamedLog] = []
  @exclusivity(unchecked) private var made: Int64 = 0

  init(_ base: RootLogs, store: NodeStore) {
    self.base = base
    self.store = store
  }

  func state(of name: String) throws -> LogState? { try changed[name] ?? base.state(of: name, store.loader) }

  /// The state of a log that is not there yet. None is ever taken away, so their count tells what number is free.
  func newState() throws -> LogState {
    LogState(number: Int64(try base.count(store.loader)) + made + 1)
  }

  func set(_ state: LogState, of name: String, isNew: Bool) {
    changed[name] = state
    if isNew { made += 1 }
  }

  /// The names of the logs that were changed, with their states before.
  func before() throws -> [(name: String, state: LogState?)] {
    try changed.map { ($0.name, try base.state(of: $0.name, store.loader)) }
  }

  /// Writes what changed.
  func finish() throws -> RootLogs {
    guard let tree = base.tree else {
      var logs = base.known
      for log in changed { logs[log.name] = log.state }
      if made > 0 { logs.sort { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) } }
      let few = RootLogs(few: logs)
      // About as a map cell has it, which counts what it takes in memory.
      return few.content.count <= inlineCollectionLimit ? few : try edited(.empty, logs)
    }
    return try edited(.tree(tree), changed)
  }

  /// A tree with the states of some logs.
  private func edited(_ cell: MapCell, _ logs: [NamedLog]) throws -> RootLogs {
    let editor = MapEditor(cell, store: store)
    for log in logs {
      var writer = NodeWriter(capacity: LogState.mostBytes)
      log.state.encode(into: &writer)
      try editor.set(Array(log.name.utf8), writer.bytes)
    }
    guard case .tree(let tree) = try editor.cell else { return RootLogs(few: logs) }
    return RootLogs(many: tree, changed: changed)
  }
}

/// What is known of one log.
private struct NamedLog: Sendable {
  let name: String
  var state: LogState
}

extension [NamedLog] {
  /// The state of the log of a name; few are known, and mostly the one that is asked for.
  fileprivate subscript(name: String) -> LogState? {
    get { first { $0.name == name }?.state }
    set {
      guard let newValue else { return removeAll { $0.name == name } }
      if let place = firstIndex(where: { $0.name == name }) {
        self[place].state = newValue
      } else {
        append(NamedLog(name: name, state: newValue))
      }
    }
  }
}
