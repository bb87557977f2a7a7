/// The steps of an edit on a board, and the edit that undoes it.
///
/// The inverse is an ordinary edit that syncs like any other. It never undoes later changes of other users:
/// fields are only set back where they still have the value that was written.
public struct EditPlan: Equatable, Sendable {
  /// The writes, in order.
  public var steps: [WriteStep] = []
  /// The edit that undoes this one; nil if nothing changed.
  public var inverse: TodoEdit?
  /// Fields left out because another user had changed them, such as "title of 'Milk'".
  public var skipped: [String] = []
  /// The board afterwards.
  public var board: Board

  /// Plans an edit. Purely: the same edit and board always give the same plan.
  ///
  /// - Throws: ``EditError`` when a list or item is gone.
  public init(_ edit: TodoEdit, on board: Board) throws(EditError) {
    self.board = board
    inverse = try plan(edit)
  }

  private mutating func perform(_ step: WriteStep) {
    steps.append(step)
    board = board.after(step)
  }

  private mutating func plan(_ edit: TodoEdit) throws(EditError) -> TodoEdit? {
    switch edit {
    case .createList(let list): return try createList(list)
    case .renameList(let key, _, let name):
      let list = try list(key)
      guard list.name != name else { return nil }
      perform(.renameList(key: key, to: name))
      return .renameList(key: key, from: name, to: list.name)
    case .deleteList(let key): return try deleteList(key)
    case .createItems(let items, let key, let place): return try createItems(items, key, place)
    case .changeItem(let key, let changes, let ifUnchanged): return try changeItem(key, changes, ifUnchanged)
    case .moveItem(let key, let list, let place): return try moveItem(key, list, place)
    case .deleteItems(let keys): return try deleteItems(keys)
    case .several(let edits):
      var inverses: [TodoEdit] = []
      for edit in edits {
        if let inverse = try plan(edit) { inverses.append(inverse) }
      }
      return inverses.isEmpty ? nil : .several(inverses.reversed())
    }
  }

  private func list(_ key: String) throws(EditError) -> ItemList {
    guard let list = board.list(key) else { throw .listIsGone }
    return list
  }

  private func location(_ key: String) throws(EditError) -> (list: ItemList, index: Int) {
    guard let location = board.location(of: key) else { throw .itemIsGone }
    return location
  }

  private mutating func createList(_ list: ItemList) throws(EditError) -> TodoEdit? {
    if board.list(list.key) == nil {
      perform(.createList(key: list.key, name: list.name, order: list.order))
    } else if list.items.isEmpty {
      throw .listExists(list.name)
    }
    _ = try createItems(list.items, list.key, .last)
    return .deleteList(key: list.key)
  }

  private mutating func deleteList(_ key: String) throws(EditError) -> TodoEdit? {
    let list = try list(key)
    perform(.deleteList(key: key))
    return .createList(list)
  }

  private mutating func createItems(_ items: [Item], _ key: String, _ place: ListPosition) throws(EditError)
    -> TodoEdit?
  {
    let list = try list(key)
    var known = Set(board.lists.flatMap { $0.items.map(\.key) })
    let created = items.filter { known.insert($0.key).inserted }
    guard !created.isEmpty else { return nil }
    perform(.createItems(created, list: key, before: Self.key(at: place.index(in: list.items), of: list.items)))
    return .deleteItems(created.map(\.key))
  }

  private mutating func changeItem(
    _ key: String, _ changes: [FieldChange], _ ifUnchanged: Bool
  ) throws(EditError) -> TodoEdit? {
    let (list, index) = try location(key)
    let item = list.items[index]
    var done: [FieldChange] = []
    for change in changes {
      let current = change.rebased(onto: item.fields)
      guard current.inverse != current else { continue }
      guard !ifUnchanged || current == change else {
        skipped.append("\(change.name) of '\(item.title)'")
        continue
      }
      perform(.change(item: key, current))
      done.append(current)
    }
    return done.isEmpty ? nil : .changeItem(key: key, done.map(\.inverse), ifUnchanged: true)
  }

  private mutating func moveItem(_ key: String, _ target: String, _ place: ListPosition) throws(EditError) -> TodoEdit?
  {
    let (source, from) = try location(key)
    let rest = source.key == target ? source.items.filter { $0.key != key } : try list(target).items
    let to = place.index(in: rest)
    if source.key == target {
      guard to != from else { return nil }
      perform(.move(key: key, list: target, before: Self.key(at: to, of: rest)))
    } else {
      perform(.transfer(key: key, from: source.key, to: target, before: Self.key(at: to, of: rest)))
    }
    return .moveItem(key: key, list: source.key, at: Self.place(of: from, in: source.items))
  }

  private mutating func deleteItems(_ keys: [String]) throws(EditError) -> TodoEdit? {
    let keys = Set(keys)
    var inverses: [TodoEdit] = []
    for list in board.lists {
      let indexes = list.items.indices.filter { keys.contains(list.items[$0].key) }
      guard !indexes.isEmpty else { continue }
      inverses += Self.runs(of: indexes).map { run in
        .createItems(Array(list.items[run]), list: list.key, at: Self.place(of: run.lowerBound, in: list.items))
      }
      perform(.deleteItems(indexes.map { list.items[$0].key }, list: list.key))
    }
    guard !inverses.isEmpty else { throw .itemIsGone }
    return inverses.count == 1 ? inverses[0] : .several(inverses)
  }

  /// Ascending indexes as ranges of neighbours.
  private static func runs(of indexes: [Int]) -> [Range<Int>] {
    var runs: [Range<Int>] = []
    for index in indexes {
      if let last = runs.last, last.upperBound == index {
        runs[runs.count - 1] = last.lowerBound..<index + 1
      } else {
        runs.append(index..<index + 1)
      }
    }
    return runs
  }

  private static func key(at index: Int, of items: [Item]) -> String? {
    items.indices.contains(index) ? items[index].key : nil
  }

  private static func place(of index: Int, in items: [Item]) -> ListPosition {
    .after(index > 0 ? items[index - 1].key : nil, otherwise: index)
  }
}

extension ListPosition {
  /// The index that the place means among some items.
  func index(in items: [Item]) -> Int {
    switch self {
    case .first: 0
    case .last: items.count
    case .index(let index): max(0, min(index, items.count))
    case .after(nil, _): 0
    case .after(let key?, let otherwise):
      items.firstIndex { $0.key == key }.map { $0 + 1 } ?? max(0, min(otherwise, items.count))
    }
  }
}

/// The reason why an edit cannot be done.
public enum EditError: Error, Equatable, Sendable, CustomStringConvertible {
  case listIsGone
  case itemIsGone
  case listExists(String)

  /// One sentence with what helps.
  public var description: String {
    switch self {
    case .listIsGone: "the list is gone; somebody else may have deleted it"
    case .itemIsGone: "the item is gone; somebody else may have deleted it"
    case .listExists(let name): "there is a list '\(name)' already; choose another name"
    }
  }
}
