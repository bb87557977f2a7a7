import DataModel
import RecordStore
import TerminalUI

extension BrowserScreen {
  mutating func handle(_ key: Key) -> [ProgramAction<Effect>] {
    switch mode {
    case .browsing: return browse(key)
    case .overlay(var overlay):
      mode = overlay.handle(key) ? .overlay(overlay) : .browsing
    case .confirming(var dialog, let object):
      switch dialog.handle(key) {
      case .open: mode = .confirming(dialog, object)
      case .answered(1):
        mode = .browsing
        return [.perform(.edit(.erase(object), label: "deleted \(object)"))]
      case .answered, .cancelled: mode = .browsing
      }
    case .querying(let field, let error): return query(key, field, error)
    case .editing(let field, let object, let property, let error): return edit(key, field, object, property, error)
    }
    return []
  }

  private mutating func browse(_ key: Key) -> [ProgramAction<Effect>] {
    switch key {
    case .character("q"), .control("c"): return [.quit]
    case .control("z"): return [.suspend]
    case .control("l"): return [.redraw]
    case .character("?"), .function(1): mode = .overlay(Self.help)
    case .tab, .backTab: focus = focus == .classes ? .grid : .classes
    case .character("/"):
      guard let view else { break }
      focus = .grid
      mode = .querying(TextField(view.query ?? ""), nil)
    case .backspace, .escape: return goBack()
    default: return focus == .classes ? browseClasses(key) : browseGrid(key)
    }
    return []
  }

  /// Back to the grid from which a link was followed; then to all objects; then to the classes.
  private mutating func goBack() -> [ProgramAction<Effect>] {
    if views.count > 1 {
      views.removeLast()
      return reload()
    }
    if let last = views.indices.last, views[last].query != nil {
      views[last].selection = .query(nil)
      return reload()
    }
    focus = .classes
    return []
  }

  private mutating func browseClasses(_ key: Key) -> [ProgramAction<Effect>] {
    if classList.handle(key, count: classes.count, rows: layout.classes.rows) {
      return classes.isEmpty ? [] : show(classes[classList.selected].name)
    }
    switch key {
    case .enter, .right, .character("l"): focus = .grid
    default: break
    }
    return []
  }

  private mutating func browseGrid(_ key: Key) -> [ProgramAction<Effect>] {
    guard let last = views.indices.last else { return [] }
    if views[last].rows.handle(key, count: views[last].total, rows: layout.rows) {
      views[last].key = views[last].selectedRecord?.key
      return []
    }
    switch key {
    case .left, .character("h"):
      if views[last].column == 0 { focus = .classes } else { views[last].column -= 1 }
    case .right, .character("l"): views[last].column = min(views[last].column + 1, max(0, properties.count - 1))
    case .character("0"), .control("a"): views[last].column = 0
    case .character("$"), .control("e"): views[last].column = max(0, properties.count - 1)
    case .enter: return enter()
    case .character("e"): return beginEdit()
    case .character("v"), .space: showObject()
    case .character("d"), .delete: return askToDelete()
    default: break
    }
    return []
  }

  /// Follows a link or opens a collection; any other value is edited.
  private mutating func enter() -> [ProgramAction<Effect>] {
    guard let (record, property) = selectedCell, let item = record[property.name] else { return [] }
    var links: [ObjectReference] = []
    func add(_ item: StateDump.Item) { if case .value(.link(let link)) = item { links.append(link) } }
    switch item {
    case .list(let items): items.forEach(add)
    case .set(let values): values.sorted { "\($0)" < "\($1)" }.forEach { add(.value($0)) }
    case .dictionary(let entries): entries.sorted { $0.key < $1.key }.forEach { add($0.value) }
    case .value, .embedded: add(item)
    }
    guard let target = links.first?.className else {
      if case .value = item { return beginEdit() }
      showObject()
      return []
    }
    let keys = links.filter { $0.className == target }.map(\.key)
    views.append(GridView(target, .objects(keys), origin: "\(record.reference).\(property.name)"))
    return reload()
  }

  /// The object and the property under the cursor.
  var selectedCell: (ObjectRecord, Property)? {
    guard let view, let record = view.selectedRecord, properties.indices.contains(view.column) else { return nil }
    return (record, properties[view.column])
  }

  private mutating func askToDelete() -> [ProgramAction<Effect>] {
    guard let record = view?.selectedRecord else { return [] }
    guard !isReadOnly else { return fail("the realm is open for reading only") }
    mode = .confirming(
      Dialog(
        title: "Delete", message: "Delete \(record.className) \(texts.text(record.key))? Links to it become empty.",
        answers: ["Keep", "Delete"]),
      record.reference)
    return []
  }

  mutating func fail(_ text: String) -> [ProgramAction<Effect>] {
    notice = (text, true)
    return [.bell]
  }

  mutating func handle(_ mouse: Mouse) -> [ProgramAction<Effect>] {
    guard mode == .browsing, let last = views.indices.last else { return [] }
    let isInClasses = layout.classes.contains(mouse.position)
    guard isInClasses || layout.grid.contains(mouse.position) else { return [] }
    switch mouse.action {
    case .wheelUp, .wheelDown:
      let key = mouse.action == .wheelUp ? Key.up : .down
      return isInClasses ? browseClasses(key) : browseGrid(key)
    case .press where isInClasses:
      focus = .classes
      guard let row = classList.row(at: mouse.position.row - layout.classes.row, count: classes.count) else { break }
      classList.selected = row
      return show(classes[row].name)
    case .press:
      focus = .grid
      let line = mouse.position.row - layout.grid.row - 1
      guard let row = views[last].rows.row(at: line, count: views[last].total), line >= 0 else { break }
      views[last].rows.selected = row
      views[last].key = views[last].selectedRecord?.key
      let place = mouse.position.column - layout.grid.column
      let hit = GridColumns(self).visible.last { $0.column <= place }
      if let hit { views[last].column = hit.index }
    case .release: break
    }
    return []
  }
}
