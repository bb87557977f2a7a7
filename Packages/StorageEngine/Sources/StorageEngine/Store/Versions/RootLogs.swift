/// The logs of a version: a ``LogState`` for each by name, coded as a map cell, so that thousands are a tree beside the
/// root page.
final class RootLogs: Sendable {
  let content: [UInt8]
  /// The tree of many logs; nil while the root page holds all.
  let tree: TreeRoot?
  /// All logs while the root page holds them, in the order of a map; of logs in a tree those that the last transaction
  /// changed, since the next one asks for the same.
  let known: [NamedLog]

  static let empty = RootLogs(few: [])

  private init(_ content: [UInt8], _ tree: TreeRoot?, known: [NamedLog]) {
    self.content = content
    self.tree = tree
    self.known = known
  }

  /// Logs in the root page.
  convenience init(few logs: [NamedLog]) { self.init(Self.encoded(logs), nil, known: logs) }

  /// Logs in a tree.
  convenience init(many tree: TreeRoot, changed: [NamedLog]) {
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

  /// The content of a map cell of few logs, in the order of a map.
  private static func encoded(_ logs: [NamedLog]) -> [UInt8] {
    var block = BytesBlock(room: logs.count)
    for log in logs { block.append(Array(log.name.utf8), StoredValueCoding.encode(log.state.value)) }
    return MapCell.inline(block).content
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
