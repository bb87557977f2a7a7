public import Permissions

/// A page of the list of realms that is asked for.
public struct RealmSearch: Hashable, Sendable {
  /// A part of the paths, by bytes; empty for all realms.
  public var text: String
  /// Whether partial views are among them.
  public var hasPartialViews: Bool
  /// The path behind which the page begins; nil for the beginning.
  public var after: String?
  /// The realms that are left out before the page.
  public var skip: Int
  /// The most realms of the page; not negative.
  public var limit: Int

  /// A search.
  public init(
    _ text: String = "", hasPartialViews: Bool = true, after: String? = nil, skip: Int = 0, limit: Int
  ) {
    self.text = text
    self.hasPartialViews = hasPartialViews
    self.after = after
    self.skip = skip
    self.limit = limit
  }

  /// The mark that the paths of partial views contain.
  static let partialViewMark = "/__partial/"

  /// The page of a list that is at hand.
  ///
  /// - Parameter realms: in the order of the list.
  /// - Complexity: O(*n*) in the realms.
  public func page(of realms: [RealmPath]) -> RealmPage {
    let found = realms.filter { realm in
      let path = realm.description
      return (text.isEmpty || path.utf8.contains(text.utf8))
        && (hasPartialViews || !path.contains(Self.partialViewMark))
    }
    var rest = found[...]
    if let after { rest = rest.drop { !$0.description.isBehind(after) } }
    rest = rest.dropFirst(skip)
    let page = Array(rest.prefix(limit))
    return RealmPage(paths: page, total: found.count, isLast: page.count == rest.count)
  }
}

/// A page of the list of realms.
public struct RealmPage: Hashable, Sendable {
  /// The paths, in the order of the list.
  public var paths: [RealmPath]
  /// The realms that match, on all pages.
  public var total: Int
  /// Whether no page follows.
  public var isLast: Bool

  /// A page.
  public init(paths: [RealmPath], total: Int, isLast: Bool) {
    self.paths = paths
    self.total = total
    self.isLast = isLast
  }
}

extension String {
  /// Whether the text comes after another one by its bytes, as databases order it.
  fileprivate func isBehind(_ other: String) -> Bool { other.utf8.lexicographicallyPrecedes(utf8) }
}
