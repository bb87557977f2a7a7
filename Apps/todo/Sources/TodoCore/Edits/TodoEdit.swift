import Foundation

/// One thing that a user does, as a value. The store performs it in one write transaction.
public enum TodoEdit: Equatable, Sendable {
  /// Makes a list, with items if it comes back after a deletion.
  case createList(ItemList)
  case renameList(key: String, from: String, to: String)
  /// Deletes a list with its items.
  case deleteList(key: String)
  /// Puts new items, or deleted ones that come back, into a list.
  case createItems([Item], list: String, at: ListPosition)
  /// Changes fields. With `ifUnchanged`, as undo does, only those that still have the value they are changed from.
  case changeItem(key: String, [FieldChange], ifUnchanged: Bool)
  /// Moves an item within its list or to another.
  case moveItem(key: String, list: String, at: ListPosition)
  case deleteItems([String])
  /// Several edits, one after the other, all or none.
  case several([TodoEdit])
}

/// A position in a list.
public enum ListPosition: Equatable, Sendable {
  case first
  case last
  /// At an index, counted without the item that moves; beyond the end counts as the end.
  case index(Int)
  /// Behind the item with this key, or at the index if it is gone. nil means at the top.
  case after(String?, otherwise: Int)
}

/// A change of one field, with the value it had.
public enum FieldChange: Equatable, Sendable {
  case title(from: String, to: String)
  case done(from: Bool, to: Bool)
  case priority(from: Int, to: Int)
  case due(from: Day?, to: Day?)
  case notes(from: String, to: String)
  case completed(from: Date?, to: Date?)

  /// The changes that turn some fields into others.
  public static func changes(from old: ItemFields, to new: ItemFields) -> [FieldChange] {
    var changes: [FieldChange] = []
    if old.title != new.title { changes.append(.title(from: old.title, to: new.title)) }
    if old.isDone != new.isDone { changes.append(.done(from: old.isDone, to: new.isDone)) }
    if old.priority != new.priority { changes.append(.priority(from: old.priority, to: new.priority)) }
    if old.due != new.due { changes.append(.due(from: old.due, to: new.due)) }
    if old.notes != new.notes { changes.append(.notes(from: old.notes, to: new.notes)) }
    if old.completed != new.completed { changes.append(.completed(from: old.completed, to: new.completed)) }
    return changes
  }

  /// The change back.
  public var inverse: FieldChange {
    switch self {
    case .title(let from, let to): .title(from: to, to: from)
    case .done(let from, let to): .done(from: to, to: from)
    case .priority(let from, let to): .priority(from: to, to: from)
    case .due(let from, let to): .due(from: to, to: from)
    case .notes(let from, let to): .notes(from: to, to: from)
    case .completed(let from, let to): .completed(from: to, to: from)
    }
  }

  /// The same change, from the value that the field has now.
  func rebased(onto fields: ItemFields) -> FieldChange {
    switch self {
    case .title(_, let to): .title(from: fields.title, to: to)
    case .done(_, let to): .done(from: fields.isDone, to: to)
    case .priority(_, let to): .priority(from: fields.priority, to: to)
    case .due(_, let to): .due(from: fields.due, to: to)
    case .notes(_, let to): .notes(from: fields.notes, to: to)
    case .completed(_, let to): .completed(from: fields.completed, to: to)
    }
  }

  /// Writes the new value.
  public func apply(to fields: inout ItemFields) {
    switch self {
    case .title(_, let to): fields.title = to
    case .done(_, let to): fields.isDone = to
    case .priority(_, let to): fields.priority = to
    case .due(_, let to): fields.due = to
    case .notes(_, let to): fields.notes = to
    case .completed(_, let to): fields.completed = to
    }
  }

  /// The name of the field.
  public var name: String {
    switch self {
    case .title: "title"
    case .done: "done"
    case .priority: "priority"
    case .due: "due date"
    case .notes: "notes"
    case .completed: "completion date"
    }
  }
}
