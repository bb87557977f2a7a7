import RealmSwift
import TodoCore

/// A list, as it is kept and synced.
///
/// The items are a list of links, so that moves and insertions of several people merge.
final class TodoList: Object {
  @Persisted(primaryKey: true) var _id: String
  @Persisted var name: String
  /// Lists are shown by ascending order.
  @Persisted var order: Double
  @Persisted var items: List<TodoItem>
}

/// An item, as it is kept and synced.
final class TodoItem: Object {
  @Persisted(primaryKey: true) var _id: String
  @Persisted var title: String
  @Persisted var done: Bool
  /// 0 for none, 1 for A to 26 for Z.
  @Persisted var priority: Int
  /// Midnight UTC of the day.
  @Persisted var dueDate: Date?
  @Persisted var notes: String
  @Persisted var created: Date
  @Persisted var completedAt: Date?
}

extension TodoItem {
  convenience init(_ item: Item) {
    self.init()
    _id = item.key
    title = item.title
    done = item.isDone
    priority = item.priority
    dueDate = item.due?.date
    notes = item.notes
    created = item.created ?? Date(timeIntervalSince1970: 0)
    completedAt = item.completed
  }

  /// The item as a value.
  var item: Item {
    Item(
      key: _id,
      fields: ItemFields(
        title: title, isDone: done, priority: max(0, min(26, priority)), due: dueDate.map { Day($0) }, notes: notes,
        created: created, completed: completedAt))
  }

  /// Writes one field.
  func apply(_ change: FieldChange) {
    switch change {
    case .title(_, let title): self.title = title
    case .done(_, let isDone): done = isDone
    case .priority(_, let priority): self.priority = priority
    case .due(_, let due): dueDate = due?.date
    case .notes(_, let notes): self.notes = notes
    case .completed(_, let completed): completedAt = completed
    }
  }
}
