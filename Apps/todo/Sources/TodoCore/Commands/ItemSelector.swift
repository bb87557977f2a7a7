/// Finds the item that a word on the command line means.
///
/// A number is a position in a list, counted from 1; other words are keys, beginnings of keys (of at least six
/// characters), titles, or parts of titles, in this order, and must mean one item only.
public enum ItemSelector {
  /// The reason why a word means no item.
  public enum Failure: Error, Equatable, Sendable, CustomStringConvertible {
    case noSuchList(String)
    case noList
    case noSuchNumber(Int, list: String, count: Int)
    case nothing(String)
    case several(String, [String])

    /// One sentence that names the word.
    public var description: String {
      switch self {
      case .noSuchList(let name): "there is no list '\(name)'; 'todo lists' shows them"
      case .noList: "there is no list yet; 'todo add' makes one"
      case .noSuchNumber(let number, let list, let count): "there is no item \(number) in '\(list)', which has \(count)"
      case .nothing(let word): "no item is called '\(word)'; 'todo list' shows them"
      case .several(let word, let titles):
        "'\(word)' means several items: \(titles.prefix(5).map { "'\($0)'" }.joined(separator: ", ")); use a number or key"
      }
    }
  }

  /// The list with a name; without one, the first list.
  public static func list(_ name: String?, on board: Board) throws(Failure) -> ItemList {
    guard let name else {
      guard let first = board.lists.first else { throw .noList }
      return first
    }
    guard let list = board.list(named: name) ?? board.list(name) else { throw .noSuchList(name) }
    return list
  }

  /// The item that a word means.
  ///
  /// - Parameter name: the list to look in; nil looks in all, and for numbers in the first.
  public static func item(_ word: String, list name: String?, on board: Board) throws(Failure) -> Item {
    if let number = Int(word), number >= -999_999, number <= 999_999 {
      let list = try list(name, on: board)
      guard list.items.indices.contains(number - 1) else {
        throw .noSuchNumber(number, list: list.name, count: list.items.count)
      }
      return list.items[number - 1]
    }
    let items = name == nil ? board.lists.flatMap(\.items) : try list(name, on: board).items
    let folded = word.lowercased()
    let matches: [(Item) -> Bool] = [
      { $0.key == word },
      { word.count >= 6 && $0.key.hasPrefix(word) },
      { $0.title.lowercased() == folded },
      { !folded.isEmpty && $0.title.lowercased().contains(folded) },
    ]
    for match in matches {
      let found = items.filter(match)
      if found.count == 1 { return found[0] }
      if found.count > 1 { throw .several(word, found.map(\.title)) }
    }
    throw .nothing(word)
  }
}
