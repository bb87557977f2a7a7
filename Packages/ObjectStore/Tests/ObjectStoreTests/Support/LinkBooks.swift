import DataModel
import StorageEngine

@testable import ObjectStore
@testable import RecordStore

/// The links of a file, counted twice: as the objects hold them, and as the indexes of backlinks know them.
struct LinkBooks {
  /// One link, as often as a field of one row holds it.
  struct Link: Hashable {
    let field: String
    let origin: RowKey
    let target: RowKey
    let table: TableID
  }

  private(set) var held: [Link: Int] = [:]
  private(set) var known: [Link: Int] = [:]
  /// Entries of the indexes in all.
  private(set) var entryCount = 0
  /// Names without an object that nothing links to.
  private(set) var idleNames = 0

  init(_ file: RealmFile) throws {
    let readView = try file.latestReadView()
    for layout in readView.catalog.classes {
      for field in layout.fields where field.canLink {
        for row in try readView.rows(layout) {
          for link in try readView.elements(Cell(layout, row, field)).flatMap(\.links) {
            held[Self.link(field, layout, row, link), default: 0] += 1
          }
        }
        try read(field, layout, readView)
      }
    }
    let linked = Set(held.keys.map(\.target).filter(\.isUnresolved))
    idleNames = readView.unresolvedCount - linked.count
  }

  private mutating func read(_ field: FieldLayout, _ layout: ClassLayout, _ readView: ReadView) throws {
    guard let backlinks = field.backlinks else { return }
    entryCount += try readView.reader.index(backlinks).count
    if let repeats = field.repeats { entryCount += try readView.reader.index(repeats).count }
    for link in Set(held.keys) where link.field == "\(layout.name).\(field.name)" {
      let key = linkKey(field, link.table, link.target)
      known[link] = try readView.contains(key, link.origin, backlinks) ? 1 : 0
      guard let repeats = field.repeats else { continue }
      var prefix = freeLinkKey(link.table, link.target)
      OrderedBytes.append(link.origin.rawValue, to: &prefix)
      try readView.reader.index(repeats).forEach(prefix: prefix) { _, _ in
        known[link, default: 0] += 1
        return true
      }
    }
  }

  private static func link(
    _ field: FieldLayout, _ layout: ClassLayout, _ row: RowKey, _ link: (table: TableID, row: RowKey)
  ) -> Link {
    Link(field: "\(layout.name).\(field.name)", origin: row, target: link.row, table: link.table)
  }

  /// The first error in words; nil when every link is known to its target as often as it is held.
  var complaint: String? {
    for (link, count) in held where known[link] != count {
      return "\(link) is held \(count) times and known \(known[link] ?? 0) times"
    }
    let sum = held.values.reduce(0, +)
    guard sum == entryCount else { return "\(sum) links are held and \(entryCount) known" }
    return idleNames == 0 ? nil : "\(idleNames) names are kept that nothing links to"
  }
}
