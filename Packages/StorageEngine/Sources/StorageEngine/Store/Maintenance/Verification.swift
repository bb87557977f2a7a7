import SQLiteDatabase

/// Walks one version and collects every node on the way.
struct Verification {
  let loader: NodeLoader
  private(set) var report = VerificationReport()
  private(set) var seen: Set<Int64> = []
  private var logs: [(name: String, state: LogState)] = []

  init(loader: NodeLoader) { self.loader = loader }

  static func damage(_ what: String) -> StorageError {
    StorageError(.corrupt, "The file is damaged: \(what). Restore it from a backup or its server.")
  }

  private mutating func meet(_ id: Int64) throws {
    guard seen.insert(id).inserted else { throw Self.damage("node \(id) is used twice") }
  }

  mutating func walk(_ root: RootPage, _ progress: (_ rows: Int, _ known: Int) throws -> Void) throws {
    let known = root.tables.reduce(0) { $0 + ($1?.rowCount ?? 0) }
    for node in root.records.nodes.values {
      try meet(node)
      _ = try loader.source.bytes(node)
    }
    for table in root.tables {
      if let table { try walk(table) { try progress($0, known) } }
    }
    guard let rootLogs = root.logs else { return }
    if let tree = rootLogs.tree { try walk(TreeReader<BytesBlock>(tree, loader: loader), countsAsIndex: false) }
    logs = try rootLogs.all(loader)
  }

  private mutating func walk(_ table: TableState, _ progress: (_ rows: Int) throws -> Void) throws {
    if table.inlineContent == nil { try meet(table.node) }
    for branch in table.clusterMap.branches { try meet(branch) }
    var rows = 0
    for (page, leaf) in table.clusterMap.leaves.enumerated() {
      if leaf != 0 { try meet(leaf) }
      guard let nodes = try table.clusterMap.leaf(page, loader)?.nodes else { continue }
      for (entry, node) in nodes.enumerated() where node != 0 {
        guard let cluster = try table.clusterMap.cluster(page << ClusterMapLeaf.bits | entry, loader) else { continue }
        guard cluster.node == node else { throw Self.damage("cluster \(cluster.index) has the wrong node") }
        try meet(cluster.nodes.whole)
        if cluster.nodes.patch != 0 { try meet(cluster.nodes.patch) }
        rows += cluster.rowCount
        try walk(cluster, table)
        try progress(report.rows + rows)
      }
    }
    guard rows == table.rowCount else { throw Self.damage("table '\(table.definition.name)' counts its rows wrong") }
    report.rows += rows
    for index in table.indexes {
      switch index.state {
      case .int(let root, let delta): try walk(TreeReader(root, delta, loader: loader), countsAsIndex: true)
      case .bytes(let root, let delta): try walk(TreeReader(root, delta, loader: loader), countsAsIndex: true)
      }
    }
  }

  private mutating func walk<Block>(_ tree: TreeReader<Block>, countsAsIndex: Bool) throws {
    var ids: [Int64] = []
    try tree.forEachNode { ids.append($0) }
    for id in ids { try meet(id) }
    let count = try tree.check()
    if countsAsIndex { report.indexEntries += count }
  }

  private mutating func walk(_ cluster: Cluster, _ table: TableState) throws {
    if let last = (0..<256).last(where: cluster.isAlive), Int64(cluster.index << 8 | last) >= table.nextRow {
      throw Self.damage("a row of table '\(table.definition.name)' lies beyond the last key")
    }
    for column in table.definition.columns where column.type.isVariable && cluster.column(column.id) != nil {
      for slot in 0..<256 where cluster.isAlive(slot) { try walk(cluster, column, slot) }
    }
  }

  private mutating func walk(_ cluster: Cluster, _ column: ColumnDefinition, _ slot: Int) throws {
    switch column.type {
    case .list:
      let list = try StoredList(try ListCell(cluster, column.id, slot), loader: loader)
      guard try list.elements().count == list.count else { throw Self.damage("a list counts its elements wrong") }
      if case .tree(let root) = try ListCell(cluster, column.id, slot) {
        var ids: [Int64] = []
        try StoredList.forEachNode(root, loader) { ids.append($0) }
        for id in ids { try meet(id) }
      }
    case .map:
      let cell = try MapCell(cluster, column.id, slot)
      try StoredMap(cell, loader: loader).forEach { _, _ in true }
      if case .tree(let root) = cell { try walk(TreeReader<BytesBlock>(root, loader: loader), countsAsIndex: false) }
    default:
      if let node = cluster.externalNode(column.id.rawValue, slot: slot) { try meet(node) }
      if column.type == .mixed {
        _ = try cluster.mixed(column.id, slot: slot)
      } else {
        try cluster.withBytes(column.id, slot: slot) { _ in }
      }
    }
  }

  /// Reads every entry of every log.
  mutating func readLogs(_ connection: ReaderConnection) throws {
    for (name, state) in logs {
      let log = LogStatements(connection: connection, source: loader.source, name: name, state: state)
      var (count, bytes) = (0, 0)
      try log.forEach(in: .min ... .max) { entry in
        count += 1
        bytes += entry.content.count
        return true
      }
      guard count == state.count, bytes == state.bytes else {
        throw Self.damage("log '\(name)' counts its entries wrong")
      }
      let select = try log.statement(.count)
      defer { select.reset() }
      guard try select.step(), select.int(at: 0) == count else {
        throw Self.damage("log '\(name)' has entries that belong to nothing")
      }
      report.entries += count
    }
  }

  /// Checks that every node of the file is either part of the version or retired, and that logs are whole.
  mutating func compare(_ connection: ReaderConnection, _ pending: [PendingNode]) throws {
    guard try connection.sqlite.text("PRAGMA quick_check(1)") == "ok" else {
      throw Self.damage("SQLite finds its pages inconsistent")
    }
    try readLogs(connection)
    var known = seen
    for ids in try Self.waiting(connection) {
      for id in ids {
        guard known.insert(id).inserted else { throw Self.damage("node \(id) is in use and is retired") }
      }
    }
    let select = try connection.statement("SELECT id FROM node")
    defer { select.reset() }
    while try select.step() {
      let id = select.int(at: 0)
      guard known.remove(id) != nil else { throw Self.damage("node \(id) belongs to nothing") }
      report.nodes += 1
    }
    for node in pending {
      guard known.remove(node.id) != nil else { throw Self.damage("node \(node.id) belongs to nothing") }
      report.nodes += 1
    }
    if let missing = known.first { throw Self.damage("node \(missing) is missing") }
  }

  /// The retired nodes, version by version.
  static func waiting(_ connection: ReaderConnection) throws -> [[Int64]] {
    let recent = try connection.statement("SELECT recent FROM root")
    defer { recent.reset() }
    var result = try recent.step() ? RetiredNodes.decode(recent.bytes(at: 0)).map(\.ids) : []
    guard try connection.tables.has(.retired) else { return result }
    let retired = try connection.statement("SELECT ids FROM retired")
    defer { retired.reset() }
    while try retired.step() { result.append(try RetiredNodes.ids(retired.bytes(at: 0))) }
    return result
  }
}
