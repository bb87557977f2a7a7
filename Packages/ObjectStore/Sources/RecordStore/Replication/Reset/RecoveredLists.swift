import DataModel

/// The elements that a recovery inserted into lists: only those can be named by the indices of local changesets.
struct RecoveredLists {
  struct ListField: Hashable {
    var object: ObjectReference
    var field: String
  }

  private struct Tracked {
    /// The list holds what the local one held: every index means the same on both.
    var isExact = false
    /// Elements that the recovery put there: their index in the local list, and where they are now.
    var own: [(local: Int, here: Int)] = []
  }

  private var lists: [ListField: Tracked] = [:]
  /// Fields that are taken over from the local file as a whole, in the order in which that turned out.
  private(set) var copies: [ListField] = []
  private var copied: Set<ListField> = []

  func isCopied(_ place: ListField) -> Bool { copied.contains(place) }

  /// Whether every index means the same on both sides.
  func isExact(_ place: ListField) -> Bool { lists[place]?.isExact ?? false }

  /// The field is taken over as a whole.
  mutating func copy(_ place: ListField) {
    if copied.insert(place).inserted { copies.append(place) }
  }

  /// The list is what it was locally at this point: empty, or new with its object.
  mutating func becameExact(_ place: ListField) {
    lists[place] = Tracked(isExact: true)
    if copied.remove(place) != nil { copies.removeAll { $0 == place } }
  }

  /// The position for an element that was inserted locally.
  mutating func insertion(at local: Int, priorSize: Int, size: Int, _ place: ListField) -> Int {
    var list = lists[place] ?? Tracked()
    defer { lists[place] = list }
    if list.isExact { return min(local, size) }
    let here: Int
    if let before = list.own.first(where: { $0.local == local - 1 }) {
      here = before.here + 1
    } else if let after = list.own.first(where: { $0.local == local }) {
      here = after.here
    } else {
      here = local == priorSize ? size : min(local, size)
    }
    for index in list.own.indices {
      if list.own[index].local >= local { list.own[index].local += 1 }
      if list.own[index].here >= here { list.own[index].here += 1 }
    }
    list.own.append((local, here))
    return here
  }

  /// The present position of the element with a local index; nil when the recovery did not insert it.
  func position(of local: Int, size: Int, _ place: ListField) -> Int? {
    guard let list = lists[place] else { return nil }
    if list.isExact { return local < size ? local : nil }
    return list.own.first { $0.local == local }?.here
  }

  /// The element that had an index locally is gone.
  mutating func removed(at local: Int, _ place: ListField) {
    guard var list = lists[place], !list.isExact, let gone = list.own.first(where: { $0.local == local }) else {
      return
    }
    list.own.removeAll { $0.local == local }
    for index in list.own.indices {
      if list.own[index].local > local { list.own[index].local -= 1 }
      if list.own[index].here > gone.here { list.own[index].here -= 1 }
    }
    lists[place] = list
  }
}
