import DataExchange
import DataModel
import QueryLanguage
import RecordStore
import TerminalUI

/// The line below the grid: queries and values that are typed.
extension BrowserScreen {
  mutating func query(_ key: Key, _ field: TextField, _ error: QueryError?) -> [ProgramAction<Effect>] {
    var field = field
    switch key {
    case .escape, .control("c"): mode = .browsing
    case .enter:
      guard let last = views.indices.last else { break }
      let text = field.text.split(whereSeparator: \.isWhitespace).isEmpty ? nil : field.text
      mode = .browsing
      if views[last].query != text || views[last].origin != nil {
        // A query of the class that is in sight, also where links led to it.
        guard let checked = check(text, views[last].className) else {
          views[last].selection = .query(text)
          views[last].origin = nil
          views[last].rows = ListState()
          views[last].key = nil
          return reload()
        }
        mode = .querying(field, checked)
        return [.bell]
      }
    default:
      let isEdited = field.handle(key)
      mode = .querying(field, isEdited ? nil : error)
    }
    return []
  }

  /// The mistake in a query over a class; nil for none.
  private func check(_ text: String?, _ className: String) -> QueryError? {
    guard let text else { return nil }
    do throws(QueryError) {
      _ = try QueryPlan(ParsedQuery(parsing: text), className: className, schema: QuerySchema(schema))
      return nil
    } catch { return error }
  }

  /// Begins to edit the value under the cursor.
  mutating func beginEdit() -> [ProgramAction<Effect>] {
    guard let (record, property) = selectedCell, let item = record[property.name] else { return [] }
    guard !isReadOnly else { return fail("the realm is open for reading only") }
    guard schema[record.className]?.primaryKey != property.name else {
      return fail("the primary key of an object never changes")
    }
    guard schema[record.className]?.kind != .embedded else {
      return fail("an embedded object is edited in its parent")
    }
    mode = .editing(TextField(texts.text(item, property) ?? ""), record.reference, property, nil)
    return []
  }

  mutating func edit(
    _ key: Key, _ field: TextField, _ object: ObjectReference, _ property: Property, _ error: String?
  ) -> [ProgramAction<Effect>] {
    var field = field
    switch key {
    case .escape, .control("c"): mode = .browsing
    case .enter: return finishEdit(field.text, field, object, property)
    case .control("n"): return finishEdit(nil, field, object, property)
    default:
      let isEdited = field.handle(key)
      mode = .editing(field, object, property, isEdited ? nil : error)
    }
    return []
  }

  /// - Parameter text: nil for null.
  private mutating func finishEdit(
    _ text: String?, _ field: TextField, _ object: ObjectReference, _ property: Property
  ) -> [ProgramAction<Effect>] {
    do {
      // An empty line is no number, date or link: it means null where there may be one.
      let isText = property.type == .string && property.collection == .single
      let item = try texts.item(text == "" && !isText ? nil : text, property)
      mode = .browsing
      return [.perform(.edit(.set(object, field: property.name, item), label: "\(object).\(property.name) is set"))]
    } catch let error as ExchangeError {
      mode = .editing(field, object, property, error.message)
    } catch { mode = .editing(field, object, property, "\(error)") }
    return [.bell]
  }

  mutating func paste(_ text: String) {
    switch mode {
    case .querying(var field, _):
      field.paste(text)
      mode = .querying(field, nil)
    case .editing(var field, let object, let property, _):
      field.paste(text)
      mode = .editing(field, object, property, nil)
    case .browsing, .confirming, .overlay: break
    }
  }

  /// Shows the whole object under the cursor.
  mutating func showObject() {
    guard let record = view?.selectedRecord else { return }
    let texts = texts
    let entries = properties.map { property in
      let text = record[property.name].flatMap { texts.text($0, property) } ?? "null"
      return (property.name, text.isEmpty ? "\"\"" : String(text.prefix(2_000)))
    }
    mode = .overlay(
      HelpOverlay(
        title: "\(record.className) \(texts.text(record.key))", sections: [.init("Fields", entries)]))
  }

  static let help = HelpOverlay(
    title: "Keys",
    sections: [
      .init(
        "Grid",
        [
          ("↑ ↓ ← →, h j k l", "select; also Page Up, Page Down, g, G, 0, $"),
          ("Enter", "follow a link or a list of links; edit any other value"),
          ("Backspace, Esc", "back from a link; all objects; the classes"), ("Space, v", "the whole object"),
          ("/", "query, such as age > 3 SORT(name ASC) LIMIT 10"),
        ]),
      .init(
        "Editing",
        [("e", "edit the value; ^N makes it null, Esc leaves it"), ("d", "delete the object")]),
      .init(
        "Program", [("Tab", "from classes to grid and back"), ("^L", "draw anew"), ("^Z", "suspend"), ("q", "quit")]),
    ])
}
