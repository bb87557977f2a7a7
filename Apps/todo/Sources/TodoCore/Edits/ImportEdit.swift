import Foundation

/// Turns what was read from a file into one edit.
public enum ImportEdit {
  /// The edit that appends the items to the lists of their names, making lists that are missing.
  ///
  /// - Parameters:
  ///   - file: what was read.
  ///   - fallback: the list for items without one.
  public static func make(
    _ file: ImportedFile, on board: Board, fallback: String, now: Date, using random: inout some RandomNumberGenerator
  ) -> TodoEdit {
    var edits: [TodoEdit] = []
    var board = board
    for part in file.parts {
      let items = part.items.map { item($0, now, &random) }
      let name = part.name ?? fallback
      if let list = board.list(named: name) {
        edits.append(.createItems(items, list: list.key, at: .last))
      } else {
        let list = newList(name, on: board, using: &random)
        board = Board(lists: board.lists + [list])
        edits.append(.createList(list))
        edits.append(.createItems(items, list: list.key, at: .last))
      }
    }
    return .several(edits)
  }

  /// The edit that brings the lists of one board to another: their items go to the end of the list of the same name, or
  /// to a new one.
  public static func merging(
    _ other: Board, into board: Board, using random: inout some RandomNumberGenerator
  ) -> TodoEdit {
    .several(
      other.lists.flatMap { list -> [TodoEdit] in
        if let same = board.list(named: list.name) { return [.createItems(list.items, list: same.key, at: .last)] }
        let key = Keys.list(named: list.name, on: board, using: &random)
        return [
          .createList(ItemList(key: key, name: list.name, order: list.order)),
          .createItems(list.items, list: key, at: .last),
        ]
      })
  }

  /// A new item; one without a date of creation was made now.
  public static func item(
    _ fields: ItemFields, _ now: Date, _ random: inout some RandomNumberGenerator
  ) -> Item {
    var fields = fields
    fields.created = fields.created ?? now
    return Item(key: Keys.item(now: now, using: &random), fields: fields)
  }

  /// A new, empty list behind all others.
  public static func newList(
    _ name: String, on board: Board, using random: inout some RandomNumberGenerator
  ) -> ItemList {
    let last = board.lists.map(\.order).max() ?? 0
    return ItemList(
      key: Keys.list(named: name, on: board, using: &random), name: name, order: (last + 1).rounded(.down))
  }
}
