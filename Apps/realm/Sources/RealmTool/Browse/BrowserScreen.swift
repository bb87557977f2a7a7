import DataExchange
import DataModel
import QueryLanguage
import RecordStore
import TerminalUI

/// The terminal browser, as a value: classes at the left, objects in a grid, a line for queries and values below.
///
/// The screen decides everything and performs nothing: effects ask for objects and carry edits out, messages bring them.
struct BrowserScreen: TerminalProgram {
  /// News for the screen.
  enum Message: Sendable {
    /// The realm was changed, here or elsewhere; the screen asks to see it.
    case changed
    case classes([BrowserClass])
    case page(BrowserPage)
    /// A query that is refused, with its text.
    case refused(QueryError, String)
    case failed(String)
    case edited(String)
    case status(BrowserStatus)
  }

  /// Work that the screen asks for.
  enum Effect: Equatable, Sendable {
    case loadClasses
    /// Objects from a position on.
    case load(className: String, GridView.Selection, start: Int, count: Int)
    case edit(BrowserEdit, label: String)
  }

  enum Focus: Equatable { case classes, grid }

  /// The meaning of keys.
  enum Mode: Equatable {
    case browsing
    /// A query is typed; with the mistake in the one that was refused.
    case querying(TextField, QueryError?)
    /// A value is typed for a field of an object; with the reason why the last one was refused.
    case editing(TextField, ObjectReference, Property, String?)
    case confirming(Dialog, ObjectReference)
    case overlay(HelpOverlay)
  }

  let title: String
  let isReadOnly: Bool
  var size = Size(rows: 24, columns: 80)
  var focus = Focus.classes
  var mode = Mode.browsing
  var classes: [BrowserClass] = []
  var classList = ListState()
  /// The grid in sight last, those before it below.
  var views: [GridView] = []
  var notice: (text: String, isError: Bool)?
  var status = BrowserStatus()

  /// - Parameter title: the file or URL.
  init(title: String, isReadOnly: Bool) {
    self.title = title
    self.isReadOnly = isReadOnly
  }

  var schema: Schema { Schema(classes.map(\.schema)) }
  var texts: FieldText { FieldText(schema) }
  var layout: BrowserLayout { BrowserLayout(size, focus: focus) }
  /// The grid in sight.
  var view: GridView? { views.last }
  var properties: [Property] { view.flatMap { schema[$0.className]?.properties } ?? [] }

  mutating func update(_ event: ProgramEvent<Message>) -> [ProgramAction<Effect>] {
    switch event {
    case .started(let size):
      self.size = size
      return [.perform(.loadClasses)]
    case .input(.resize(let size)):
      self.size = size
      return settled()
    case .input(.key(let key)):
      notice = nil
      return handle(key) + settled()
    case .input(.paste(let text)):
      paste(text)
      return []
    case .input(.mouse(let mouse)): return handle(mouse) + settled()
    case .message(let message): return handle(message)
    }
  }

  private mutating func handle(_ message: Message) -> [ProgramAction<Effect>] {
    switch message {
    case .changed: return [.perform(.loadClasses)] + reload()
    case .classes(let classes): return take(classes)
    case .page(let page):
      guard let last = views.indices.last, views[last].className == page.className,
        views[last].selection == page.selection
      else { return [] }
      views[last].take(page, rows: layout.rows)
      return settled()
    case .refused(let error, let text):
      // The query that showed objects before stays; what was typed waits in the line.
      mode = .querying(TextField(text), error)
      return [.bell]
    case .failed(let text):
      notice = (text, true)
      return [.bell]
    case .edited(let text): notice = (text, false)
    case .status(let status): self.status = status
    }
    return []
  }

  private mutating func take(_ classes: [BrowserClass]) -> [ProgramAction<Effect>] {
    let selected = self.classes.indices.contains(classList.selected) ? self.classes[classList.selected].name : nil
    self.classes = classes
    if let selected, let index = classes.firstIndex(where: { $0.name == selected }) { classList.selected = index }
    classList.settle(count: classes.count, rows: layout.classes.rows)
    guard views.isEmpty, !classes.isEmpty else { return [] }
    return show(classes[classList.selected].name)
  }

  /// Shows a class from the list.
  mutating func show(_ className: String) -> [ProgramAction<Effect>] {
    if views.count == 1, views[0].className == className { return [] }
    var view = GridView(className)
    view.total = classes.first { $0.name == className }?.count ?? 0
    views = [view]
    return reload()
  }

  /// Asks for the objects around the cursor.
  func reload() -> [ProgramAction<Effect>] {
    guard let view else { return [] }
    let height = max(1, layout.rows)
    let start = max(0, view.rows.offset - height)
    return [.perform(.load(className: view.className, view.selection, start: start, count: 3 * height))]
  }

  /// Keeps cursors inside, and asks for rows that came into sight.
  private mutating func settled() -> [ProgramAction<Effect>] {
    classList.settle(count: classes.count, rows: layout.classes.rows)
    guard let last = views.indices.last else { return [] }
    views[last].rows.settle(count: views[last].total, rows: layout.rows)
    views[last].column = max(0, min(views[last].column, properties.count - 1))
    views[last].firstColumn = GridColumns(self).firstColumn
    return views[last].needsRows(layout.rows) ? reload() : []
  }
}
