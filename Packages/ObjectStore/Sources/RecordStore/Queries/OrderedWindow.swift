import DataModel
import QueryLanguage

/// The first objects of a query with SORT and LIMIT in one state, and some that follow them, so that objects may leave the
/// first ones without a look at the rest.
///
/// Objects of equal rank are in the order of their keys.
///
/// - Complexity: a change costs O(*n*) in the places.
package struct OrderedWindow: Sendable {
  private struct Place: Sendable {
    let rank: QueryWindow.Rank
    let key: ObjectKey
  }

  /// Limits above this are not kept up to date but asked for anew.
  package static let mostPlaces = 1_000

  private let window: QueryWindow
  private let capacity: Int
  /// In order.
  private var places: [Place] = []
  /// Whether no match follows the last place.
  private var isWhole = true

  /// An empty window, to which the matches of a state are offered; nil when it would be too large.
  ///
  /// - Parameter reserve: the number of objects behind the first ones that are remembered.
  package init?(_ window: QueryWindow, reserve: Int? = nil) {
    guard window.limit <= Self.mostPlaces else { return nil }
    self.window = window
    capacity = window.limit + (reserve ?? max(16, window.limit / 2))
  }

  /// The number of objects that are remembered.
  package var count: Int { places.count }

  /// The objects that the query gives, in order.
  package var selected: [ObjectKey] { places.prefix(window.limit).map(\.key) }

  /// Whether it cannot be told any more which objects the query gives: too many left since the window was filled.
  package var isUsedUp: Bool { !isWhole && places.count < window.limit }

  /// Whether the query gives an object. O(*n*) in its LIMIT.
  package func selects(_ key: ObjectKey) -> Bool { places.prefix(window.limit).contains { $0.key == key } }

  /// Adds a match, which has no place yet.
  ///
  /// - Returns: whether the objects that the query gives are others now.
  @discardableResult
  package mutating func insert(_ key: ObjectKey, _ rank: QueryWindow.Rank) -> Bool {
    let place = Place(rank: rank, key: key)
    var (low, high) = (0, places.count)
    while low < high {
      let middle = (low + high) / 2
      if precedes(places[middle], place) { low = middle + 1 } else { high = middle }
    }
    // Behind the last place others may come first.
    guard isWhole || low < places.count else { return false }
    places.insert(place, at: low)
    if places.count > capacity {
      places.removeLast()
      isWhole = false
    }
    return low < window.limit
  }

  /// Takes an object out, if it has a place.
  ///
  /// - Returns: whether the objects that the query gives are others now.
  @discardableResult
  package mutating func remove(_ key: ObjectKey) -> Bool {
    guard let position = places.firstIndex(where: { $0.key == key }) else { return false }
    places.remove(at: position)
    return position < window.limit
  }

  private func precedes(_ first: Place, _ second: Place) -> Bool {
    let order = window.order(first.rank, second.rank)
    return order == 0 ? first.key.precedes(second.key) : order < 0
  }
}
