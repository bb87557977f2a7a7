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
  /// - Complexity: that of ``positions(of:matching:)``, and O(log *n*) for each object.
  /// - Throws: ``RecordStoreError`` when the file has no such class; `QueryError` for text that is no query over it.
  public func page(
    of className: String, matching query: String? = nil, from start: Int, count: Int
  ) throws -> ObjectPage {
    try page(at: positions(of: className, matching: query), from: start, count: count)
  }
}
