import Synchronization

/// Catalogs that this process decoded lately, by what was decoded: an app opens its realms again and again, and a server
/// has thousands of realms of few schemas.
///
///     let catalog = try CatalogMemo.shared.catalog(content)      // decoded
///     try CatalogMemo.shared.catalog(content) === catalog         // true
final class CatalogMemo: Sendable {
  static let shared = CatalogMemo()

  /// Catalogs that are kept.
  static let limit = 16

  private struct Entry {
    let content: [UInt8]
    let catalog: Catalog
  }

  /// Most recently used last.
  private let entries = Mutex<[Entry]>([])

  /// The catalog that a record says, whichever file it is of.
  func catalog(_ content: [UInt8]) throws -> Catalog {
    if let known = entries.withLock({ Self.take(content, from: &$0) }) { return known }
    let catalog = try Catalog(decoding: content)
    return entries.withLock { entries in
      if let known = Self.take(content, from: &entries) { return known }
      if entries.count == Self.limit { entries.removeFirst() }
      entries.append(Entry(content: content, catalog: catalog))
      return catalog
    }
  }

  private static func take(_ content: [UInt8], from entries: inout [Entry]) -> Catalog? {
    guard let place = entries.lastIndex(where: { $0.content == content }) else { return nil }
    if place < entries.count - 1 { entries.append(entries.remove(at: place)) }
    return entries.last?.catalog
  }
}
