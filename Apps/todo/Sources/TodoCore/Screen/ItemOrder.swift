/// The order in which items are shown.
enum ItemOrder: String, CaseIterable, Equatable {
  /// The order of the list itself, which people change.
  case own
  /// Open items first, by due date, then by priority.
  case due
  /// Open items first, by priority, then by due date.
  case priority

  /// The order in words; nil for the list's own.
  var text: String? {
    switch self {
    case .own: nil
    case .due: "by due date"
    case .priority: "by priority"
    }
  }

  /// The order after this one, as a key goes through them.
  var next: ItemOrder {
    switch self {
    case .own: .due
    case .due: .priority
    case .priority: .own
    }
  }

  /// The items in this order; equal ones stay as they are.
  ///
  /// - Complexity: O(*n* log *n*).
  func apply(to items: [Item]) -> [Item] {
    guard self != .own else { return items }
    return items.enumerated().sorted { rank($0) < rank($1) }.map(\.element)
  }

  private func rank(_ place: (offset: Int, element: Item)) -> (Int, Int, Int, Int) {
    let item = place.element
    let due = item.due?.number ?? .max
    let priority = item.priority == 0 ? .max : item.priority
    let (first, second) = self == .due ? (due, priority) : (priority, due)
    return (item.isDone ? 1 : 0, first, second, place.offset)
  }
}

/// The items among which the screen chooses.
enum Scope: Equatable {
  /// Those of one list.
  case list
  /// Those of all lists, in the order of the lists.
  case all
  /// Open items of all lists whose day has passed.
  case overdue

  /// The items of a board.
  func items(of list: ItemList?, on board: Board, today: Day) -> [Item] {
    switch self {
    case .list: list?.items ?? []
    case .all: board.lists.flatMap(\.items)
    case .overdue: board.lists.flatMap(\.items).filter { $0.isOverdue(on: today) }
    }
  }
}

extension Item {
  /// Whether the item is open and its day has passed.
  func isOverdue(on today: Day) -> Bool { !fields.isDone && fields.due.map { $0 < today } == true }
}
