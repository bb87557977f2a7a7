import AdapterKit
import ChangesetOT
import ObjectServer
import RecordStore

// Several transactions of the database become as many of a realm, in one commit.

extension ConnectorEngine {
  typealias RealmPart = (changes: SquashedChanges, transaction: DatabaseTransaction)

  /// Writes the changes of transactions of which no two touch the same row.
  ///
  /// - Returns: as the form for one of them.
  func carry(_ parts: [RealmPart], to path: String) async throws -> WritesUnderWay.Written {
    if parts.count > 1, positions[path] != nil, let linked = try await carryTogether(parts, to: path) { return linked }
    var linked: WritesUnderWay.Written = [:]
    for (changes, transaction) in parts {
      linked.merge(try await carry(changes, of: transaction, to: path), uniquingKeysWith: WritesUnderWay.joined)
    }
    return linked
  }

  /// Writes them in one commit; nil, and nothing is written, when one of them needs more than that: something of it does not fit, it was
  /// written before, or both sides changed one of its lists.
  private func carryTogether(_ parts: [RealmPart], to path: String) async throws -> WritesUnderWay.Written? {
    let ranks = try parts.map { try self.ranks($0.changes) }
    let hold = try await held(path)
    let (name, known) = (adapterName, bases[path])
    let (work, dead, others) = (SendableBox((parts, ranks)), deadRows, SendableBox(othersChanges(path)))
    let wanted = Self.storable(configuration.schema, tables(of: path))
    return try await hold.write { history -> WritesUnderWay.Written? in
      let adapter = try Self.adapter(name, path, history)
      let (parts, ranks) = work.value
      guard let first = parts.first, try adapter.written().client.rawValue < first.transaction.end.rawValue else {
        return nil
      }
      let base = try known ?? max(adapter.written().server, adapter.storedPosition())
      let contents = try adapter.present().contents
      let othersChanged = Self.othersChanged(others.value, adapter, since: try adapter.storedPosition())
      var steps: [AdapterWrite] = []
      var linked: WritesUnderWay.Written = [:]
      for ((changes, transaction), ranks) in zip(parts, ranks) {
        var writes = RealmWrites(contents, isDead: { dead.contains("\($0) \($1)") }, othersChanged: othersChanged)
        try writes.add(changes, ranks: ranks)
        guard writes.dead.isEmpty, writes.revived.isEmpty, writes.mergedLists.isEmpty else { return nil }
        let missing = steps.isEmpty ? Self.missing(wanted, in: contents.schema) : []
        steps.append(
          AdapterWrite(
            missing + writes.steps, number: transaction.end.rawValue, time: Self.time(transaction),
            sizes: writes.sizes))
        linked.merge(try Self.referrers(of: writes.made, in: contents), uniquingKeysWith: WritesUnderWay.joined)
      }
      do { try adapter.write(steps, base: base) } catch is AdapterError { return nil }
      return linked
    }
  }
}
