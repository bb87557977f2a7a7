import DataExchange
import DataModel
import RecordStore
import TextWidth

/// The columns of the grid in sight: their texts, widths, and which of them fit.
struct GridColumns {
  let properties: [Property]
  let showsKey: Bool
  private let view: GridView
  private let screen: BrowserScreen
  /// The width of each property's column.
  let widths: [Int]
  let keyWidth: Int
  private let room: Int

  private static let widest = 32

  init(_ screen: BrowserScreen) {
    self.screen = screen
    view = screen.view ?? GridView("")
    properties = screen.properties
    showsKey = screen.schema[view.className]?.primaryKey == nil
    let view = view
    let shown = view.rows.visible(count: view.total, rows: screen.layout.rows).compactMap { view.record($0) }
    let texts = screen.texts
    widths = properties.map { property in
      let longest = shown.map { Self.cell($0, property, texts).text.displayWidth }.max() ?? 0
      return min(Self.widest, max(longest, property.name.displayWidth, 3))
    }
    keyWidth = showsKey ? shown.map { texts.text($0.key).displayWidth }.max().map { min(24, max(4, $0)) } ?? 4 : 0
    room = max(1, screen.layout.grid.columns - 1 - (showsKey ? keyWidth + 2 : 0))
  }

  /// The first column in sight, moved no more than needed to show the selected one.
  var firstColumn: Int {
    var first = min(view.firstColumn, view.column)
    while first < view.column, widths[first...view.column].reduce(0, { $0 + $1 + 2 }) > room + 2 { first += 1 }
    return max(0, first)
  }

  /// The columns in sight with their places, the last one cut where it does not fit.
  var visible: [(index: Int, column: Int, width: Int)] {
    var result: [(index: Int, column: Int, width: Int)] = []
    var column = 1 + (showsKey ? keyWidth + 2 : 0)
    let end = screen.layout.grid.columns
    for index in properties.indices.dropFirst(view.firstColumn) {
      let width = min(widths[index], end - column)
      guard width > 0 else { break }
      result.append((index, column, width))
      column += width + 2
    }
    return result
  }

  /// The text of a cell, and whether it is dim: null, and counts of what does not fit into a cell.
  static func cell(_ record: ObjectRecord, _ property: Property, _ texts: FieldText) -> (text: String, isDim: Bool) {
    guard let item = record[property.name] else { return ("", true) }
    switch item {
    case .value(.null): return ("null", true)
    case .value(.link(let reference)): return ("→ " + texts.text(reference.key), false)
    case .list(let items): return ("[\(items.count)]", true)
    case .set(let values): return ("{\(values.count)}", true)
    case .dictionary(let entries): return ("[:\(entries.count)]", true)
    case .embedded, .value:
      let text = texts.text(item, property) ?? ""
      return (String(text.prefix(200)), false)
    }
  }
}
