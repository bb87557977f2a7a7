import DataModel
import RecordStore
import TerminalUI

/// One grid of the browser: objects of a class, where the user is in them, and how they came here.
struct GridView: Equatable {
  /// The objects that the grid shows.
  enum Selection: Equatable {
    /// Those that match a query; all without one.
    case query(String?)
    /// The target of a link, or the elements of a list of them.
    case objects([ObjectKey])
  }

  var className: String
  var selection: Selection
  /// The way here, as in `Dog[1].owner`; nil for a class chosen from the list.
  var origin: String?
  var rows = ListState()
  /// The index of the selected column.
  var column = 0
  /// The first column in sight.
  var firstColumn = 0
  /// The object under the cursor, which it stays on when others come and go.
  var key: ObjectKey?
  /// The number of the objects, and those around the cursor that are known.
  var total = 0
  var start = 0
  var records: [ObjectRecord] = []

  init(_ className: String, _ selection: Selection = .query(nil), origin: String? = nil) {
    self.className = className
    self.selection = selection
    self.origin = origin
  }

  /// The text of the query; nil where the grid has none.
  var query: String? {
    if case .query(let text) = selection { return text }
    return nil
  }

  /// The object in a row, if it is known.
  func record(_ row: Int) -> ObjectRecord? {
    records.indices.contains(row - start) ? records[row - start] : nil
  }

  /// The object under the cursor.
  var selectedRecord: ObjectRecord? { record(rows.selected) }

  /// Takes objects that were read; the cursor follows its object.
  mutating func take(_ page: BrowserPage, rows height: Int) {
    total = page.page.total
    start = page.start
    records = page.page.records
    if let key, selectedRecord?.key != key, let position = records.firstIndex(where: { $0.key == key }) {
      rows.selected = start + position
    }
    rows.settle(count: total, rows: height)
    key = selectedRecord?.key ?? key
  }

  /// Whether rows in sight, or close to it, are not known.
  func needsRows(_ height: Int) -> Bool {
    let visible = rows.visible(count: total, rows: height)
    return !visible.isEmpty && (visible.lowerBound < start || visible.upperBound > start + records.count)
  }
}
