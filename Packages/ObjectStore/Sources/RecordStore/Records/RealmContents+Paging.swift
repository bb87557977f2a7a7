import QueryLanguage
import StorageEngine

/// Some neighbouring objects of a class, or of the objects that match a query.
public struct ObjectPage: Hashable, Sendable {
  /// The number of all of them.
  public var total: Int
  /// The objects of the page, in order.
  public var records: [ObjectRecord]

  /// A page.
  public init(total: Int, records: [ObjectRecord]) {
    self.total = total
    self.records = records
  }
}

extension RealmContents {
  /// The objects from a position on, at most `count` of them.
  ///
  ///     let page = try contents.page(of: "Dog", matching: "age > 8 SORT(name ASC)", from: 0, count: 20)
  ///     page.total                                    // how many dogs match
  ///
  /// - Complexity: that of the query; without one O(*c* + `count`) for *c* clusters of 256 objects.
  /// - Throws: ``RecordStoreError`` when the file has no such class; `QueryError` for text that is no query over it.
  public func page(
    of className: String, matching query: String? = nil, from start: Int, count: Int
  ) throws -> ObjectPage {
    try translatingErrors {
      let layout = try layout(className)
      let start = max(0, start)
      guard let query else { return try page(layout, start, max(0, count)) }
      let rows = try plan(className, query).rows(in: ReadViewQuerySource(readView))
      let records = try rows.dropFirst(start).prefix(max(0, count)).map { try record(RowKey($0), layout) }
      return ObjectPage(total: rows.count, records: records)
    }
  }

  private func page(_ layout: ClassLayout, _ start: Int, _ count: Int) throws -> ObjectPage {
    let reader = readView.reader
    var page = ObjectPage(total: reader.rowCount(of: layout.table), records: [])
    var skipped = 0
    for index in 0..<reader.clusterCount(of: layout.table) where page.records.count < count {
      guard let cluster = try reader.cluster(index, of: layout.table) else { continue }
      guard skipped + cluster.rowCount > start else {
        skipped += cluster.rowCount
        continue
      }
      var slots: [Int] = []
      cluster.forEachLiveSlot { slots.append($0) }
      for slot in slots {
        skipped += 1
        guard skipped > start, page.records.count < count else { continue }
        page.records.append(try record(RowKey(clusterIndex: index, slot: slot), layout))
      }
    }
    return page
  }
}
