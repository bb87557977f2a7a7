import DataModel
public import QueryLanguage
import StorageEngine

/// The order in which one version of a realm shows the objects of a class: all of them, or those that match a query.
///
/// Made once per version and query, it gives any page without another evaluation. It holds no snapshot.
///
///     let positions = try contents.positions(of: "Dog", matching: "age > 8 SORT(name ASC)")
///     let page = try contents.page(at: positions, from: 1_000, count: 20)      // O(20 log n)
public struct ObjectPositions: Sendable {
  enum Order: Sendable {
    /// The rows of the matches.
    case rows([QueryRow])
    /// For each cluster the number of objects before it, and behind the last one the number of all.
    case clusters([Int])
    /// Every row up to the number of objects is one: nothing was ever deleted.
    case dense(Int)
  }

  /// The class.
  public let className: String
  let order: Order

  init(className: String, order: Order) { (self.className, self.order) = (className, order) }

  /// The order of some rows of a class, such as those that a user may read.
  public init(className: String, rows: [QueryRow]) { self.init(className: className, order: .rows(rows)) }

  /// The number of objects.
  public var count: Int {
    switch order {
    case .rows(let rows): rows.count
    case .clusters(let before): before.last ?? 0
    case .dense(let count): count
    }
  }

  /// The memory that it takes, in bytes.
  public var bytes: Int {
    switch order {
    case .rows(let rows): 64 + 8 * rows.count
    case .clusters(let before): 64 + 8 * before.count
    case .dense: 64
    }
  }
}

extension RealmContents {
  /// The order of the objects of a class, or of those that match a query.
  ///
  /// - Complexity: that of the query; without one O(1) for a class of which nothing was deleted, else O(*c*) for *c* clusters
  ///   of 256 objects.
  /// - Throws: ``RecordStoreError`` when the file has no such class; `QueryError` for text that is no query over it.
  public func positions(of className: String, matching query: String? = nil) throws -> ObjectPositions {
    try translatingErrors {
      let layout = try layout(className)
      if let query {
        let rows = try plan(className, query).rows(in: ReadViewQuerySource(readView))
        return ObjectPositions(className: className, order: .rows(rows))
      }
      let reader = readView.reader
      let count = reader.rowCount(of: layout.table)
      guard reader.nextRow(of: layout.table).rawValue != Int64(count) else {
        return ObjectPositions(className: className, order: .dense(count))
      }
      var before = [0]
      before.reserveCapacity(reader.clusterCount(of: layout.table) + 1)
      var sum = 0
      for index in 0..<reader.clusterCount(of: layout.table) {
        sum += try reader.cluster(index, of: layout.table)?.rowCount ?? 0
        before.append(sum)
      }
      return ObjectPositions(className: className, order: .clusters(before))
    }
  }

  /// The objects from a position on, at most `count` of them.
  ///
  /// - Parameter positions: made from this version.
  /// - Complexity: O(log *n*) for each object.
  /// - Throws: ``RecordStoreError`` when the file cannot be read, or has no such class.
  public func page(at positions: ObjectPositions, from start: Int, count: Int) throws -> ObjectPage {
    var page = ObjectPage(total: positions.count, records: [])
    try forEachObject(at: positions, from: start, count: count) { record in
      page.records.append(record)
      return true
    }
    return page
  }

  /// Calls `body` with the objects from a position on, at most `count` of them, until it answers false. One is in memory at a time.
  ///
  /// - Parameter positions: made from this version.
  /// - Complexity: O(log *n*) for each object.
  /// - Throws: ``RecordStoreError`` when the file cannot be read, or has no such class; the errors of `body`.
  public func forEachObject(
    at positions: ObjectPositions, from start: Int, count: Int, _ body: (ObjectRecord) throws -> Bool
  ) throws {
    try translatingErrors {
      let layout = try layout(positions.className)
      let start = min(max(0, start), positions.count)
      let end = start + min(max(0, count), positions.count - start)
      let rows: [RowKey]
      switch positions.order {
      case .rows(let all): rows = all[start..<end].map { RowKey($0) }
      case .dense: rows = (start..<end).map { RowKey(Int64($0)) }
      case .clusters(let before): rows = try self.rows(before, start..<end, layout)
      }
      for row in rows { guard try body(record(row, layout)) else { return } }
    }
  }

  private func rows(_ before: [Int], _ range: Range<Int>, _ layout: ClassLayout) throws -> [RowKey] {
    var (low, high) = (0, before.count)
    while low < high {
      let middle = (low + high) / 2
      if before[middle] <= range.lowerBound { low = middle + 1 } else { high = middle }
    }
    var rows: [RowKey] = []
    var index = max(0, low - 1)
    while rows.count < range.count, index + 1 < before.count {
      if let cluster = try readView.reader.cluster(index, of: layout.table) {
        var position = before[index]
        cluster.forEachLiveSlot { slot in
          if range.contains(position) { rows.append(RowKey(clusterIndex: index, slot: slot)) }
          position += 1
        }
      }
      index += 1
    }
    return rows
  }
}
