import CommandLineKit
import TextWidth

/// Lists as text and as JSON.
public enum BoardReport {
  /// Lists as JSON, with the number by which commands know each item.
  public static func json(_ lists: [ItemList], _ filter: ItemFilter = ItemFilter()) -> JSONOutput {
    .object([
      (
        "lists",
        .array(
          lists.map { list in
            .object([
              ("key", .text(list.key)), ("name", .text(list.name)),
              ("items", .array(rows(list, filter).map { json($0.item, number: $0.number) })),
            ])
          })
      )
    ])
  }

  /// An item as JSON.
  ///
  /// - Parameter isUploaded: whether the server has it; nil leaves that out.
  public static func json(_ item: Item, number: Int?, isUploaded: Bool? = nil) -> JSONOutput {
    let state: [(name: String, value: JSONOutput)] = isUploaded.map { [("uploaded", .boolean($0))] } ?? []
    return .object(
      [
        ("number", number.map { .integer($0) } ?? .null),
        ("key", .text(item.key)),
        ("title", .text(item.title)),
        ("done", .boolean(item.isDone)),
        ("priority", item.priority > 0 ? .text(Priority.letter(item.priority)) : .null),
        ("due", item.due.map { .text($0.text) } ?? .null),
        ("notes", .text(item.notes)),
        ("created", item.created.map { .text(Timestamp.text($0)) } ?? .null),
        ("completed", item.completed.map { .text(Timestamp.text($0)) } ?? .null),
      ] + state)
  }

  /// Lists as text for people.
  public static func text(_ lists: [ItemList], _ filter: ItemFilter = ItemFilter(), console: Console) -> ConsoleText {
    lists.map { list -> ConsoleText in
      let head = console.styled(list.name, .bold) + "\n"
      let rows = rows(list, filter)
      if rows.isEmpty { return "\(head)  \(console.styled("nothing", .dim))\n" }
      let width = String(list.items.count).count
      return head + rows.map { line($0.item, $0.number, width, console) }.joined()
    }.joined(separator: "\n")
  }

  private static func line(_ item: Item, _ number: Int, _ width: Int, _ console: Console) -> ConsoleText {
    var parts: [ConsoleText] = [
      "  \(String(number).padded(to: width, alignRight: true))", item.isDone ? "[x]" : "[ ]",
    ]
    if item.priority > 0 { parts.append(console.styled("(\(Priority.letter(item.priority)))" as ConsoleText, .yellow)) }
    parts.append(item.isDone ? console.styled(item.title, .dim) : ConsoleText(item.title))
    if let due = item.due { parts.append(console.styled("due:\(due.text)", .cyan)) }
    if !item.notes.isEmpty { parts.append(console.styled("≡", .dim)) }
    return parts.joined(separator: " ") + "\n"
  }

  private static func rows(_ list: ItemList, _ filter: ItemFilter) -> [(number: Int, item: Item)] {
    let shown = Set(filter.apply(to: list.items).map(\.key))
    return list.items.enumerated().filter { shown.contains($0.element.key) }.map { ($0.offset + 1, $0.element) }
  }
}
