import AdapterKit
import ChangesetOT
import CommitFeed
import DataModel
import ObjectServer
import Permissions
import PostgresClient
import RecordStore
import Telemetry

// From the realms to the tables.

extension ConnectorEngine {
  /// Carries over what the realms have had since.
  ///
  /// - Returns: whether there was something.
  func push() async throws -> Bool {
    var hasPushed = false
    var new: [String] = []
    for path in takeChangedPaths() where !isStopping() {
      if positions[path] == nil { new.append(path) } else if try await push(path) { hasPushed = true }
    }
    try await loadTables(fromNew: new)
    return hasPushed || !new.isEmpty
  }

  /// Carries over what one realm has had since.
  ///
  /// - Returns: whether there was something to write.
  @discardableResult
  func push(_ path: String, attempt: Int = 0) async throws -> Bool {
    guard let position = positions[path], let hold = try await hold(path) else { return false }
    let (name, tables) = (adapterName, tables(of: path))
    let read: SendableBox<(writes: RowWrites, contents: RealmContents)>?
    do {
      read = try await hold.perform { history in
        var adapter = try Self.adapter(name, path, history)
        try adapter.resume(after: position)
        guard let changed = try adapter.changedObjects() else { return nil }
        var writes = try RowWrites(
          changed.objects.map { ($0, changed.properties(of: $0)) }, in: changed.contents, at: changed.position, tables,
          path: path)
        writes.hasSchemaChanges = changed.hasSchemaChanges
        return SendableBox((writes, changed.contents))
      }
    } catch let error as FeedError {
      try await catchUp(path, hold, error)
      return true
    }
    guard let (writes, contents) = read?.value else { return false }
    if writes.hasSchemaChanges, try noteSchemaChanges(path, contents.schema) {
      // Objects that the transaction did not touch have values in the new columns, too.
      try await compareAll(path, hold)
      return true
    }
    guard !writes.writes.isEmpty || !writes.dead.isEmpty else {
      // Only the connector itself wrote: the database has everything of this version, once the slot has shown what was written.
      positions[path] = writes.position
      if try await isEchoed(path, hold) { try await passed(writes.position, path, hold) }
      return false
    }
    let referring = try withReferrers(writes, contents, path)
    let all = try withReturningLinks(withTargets(referring, attempt, contents, path), contents, path)
    do {
      try await store(all, path, marker: Self.marker(writes.position, path))
    } catch let error as PostgresError where error.isForeignKeyViolation {
      guard attempt < Self.mostTargets else {
        // Others delete such rows faster than they are written: they wait for the comparison.
        try await compareAll(path, hold)
        return true
      }
      return try await push(path, attempt: attempt + 1)
    }
    positions[path] = writes.position
    return true
  }

  /// The writes, and those of rows to which they refer and which others have deleted. To wait for the deletions instead, somewhere in the
  /// slot, would hold up everything before them; a fault in that time would begin all of it again.
  ///
  /// - Parameter depth: how often rows are added to which others refer.
  func withTargets(_ writes: RowWrites, _ depth: Int, _ contents: RealmContents, _ path: String) throws -> RowWrites {
    var all = writes
    for _ in 0..<depth {
      try all.addTargets(in: contents, path: path) { table, keys in
        let rows = try reader.query(
          "SELECT \(table.sqlKey) FROM \(table.sqlName) WHERE \(table.sqlKey) = ANY($1::\(table.key.sqlType)[])",
          [ArrayText.text(keys)])
        return Set((0..<rows.count).compactMap { rows[$0, 0] })
      }
    }
    return all
  }

  /// The writes, and those of lists and of JSON that name objects which are gone: of them the tables do not take care.
  private func withReferrers(_ writes: RowWrites, _ contents: RealmContents, _ path: String) throws -> RowWrites {
    let gone = writes.writes.filter { $0.row == nil }
    guard !gone.isEmpty else { return writes }
    var referrers: [ObjectReference: Set<String>] = [:]
    let columns = template(path)
    for write in gone {
      let target = writes.tables[write.table].className
      for table in writes.tables {
        for column in table.columns where column.mayName(target) {
          let rows = try reader.query(
            "SELECT \(table.sqlKey) FROM \(table.sqlName) WHERE strpos(\(PostgresConnection.quoted(column.name))::text, $1) > 0"
              + table.scope(columns(table)), [write.key])
          for row in 0..<rows.count {
            guard let object = try? rows[row, 0].map(table.reference) else { continue }
            referrers[object, default: []].insert(column.property.name)
          }
        }
        for sub in table.subTables {
          for column in sub.columns where column.mayName(target) || (column.links(to: target) && !sub.isEmbedded) {
            let name = PostgresConnection.quoted(column.name)
            let condition = column.mayName(target) ? "strpos(\(name)::text, $1) > 0" : "\(name) = $1"
            let rows = try reader.query(
              "SELECT DISTINCT oid FROM \(table.sqlName(of: sub)) WHERE \(condition)", [write.key])
            for row in 0..<rows.count {
              guard let object = try? rows[row, 0].map(table.reference) else { continue }
              referrers[object, default: []].insert(sub.property.name)
            }
          }
        }
      }
    }
    let known = Set(writes.writes.compactMap { $0.columns == nil ? writes.object($0) : nil })
    let more = referrers.filter { !known.contains($0.key) }.map { (object: $0.key, properties: Optional($0.value)) }
    guard !more.isEmpty else { return writes }
    var all = writes
    let extra = try RowWrites(more, in: contents, at: writes.position, writes.tables, path: path)
    all.writes.insert(
      contentsOf: extra.writes.filter { $0.row != nil }, at: all.writes.firstIndex { $0.row == nil } ?? 0)
    return all
  }

  /// The columns that a realm's path gives to the rows of a table.
  func template(_ path: String) -> (ClassTable) -> [String: String] { { $0.template.columns(of: path) ?? [:] } }
}

extension Column {
  /// Whether its JSON may name objects of a class.
  func mayName(_ className: String) -> Bool {
    guard form == .json else { return false }
    var seen: Set<String> = []
    func may(_ property: Property) -> Bool {
      if property.type == .any || property.objectClassName == className { return true }
      guard let target = json.schema[property.objectClassName ?? ""], target.kind == .embedded,
        seen.insert(target.className).inserted
      else { return false }
      return target.properties.contains(where: may)
    }
    return may(property)
  }

  /// Whether it holds links to a class.
  func links(to className: String) -> Bool { if case .link(className, _) = form { true } else { false } }
}
