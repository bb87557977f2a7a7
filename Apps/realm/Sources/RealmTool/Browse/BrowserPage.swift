import DataModel
import RecordStore

/// A class of the realm, for the list of them.
struct BrowserClass: Equatable {
  var schema: ObjectSchema
  var count: Int
  var name: String { schema.className }
}

/// Objects that were read for a grid.
struct BrowserPage: Equatable, Sendable {
  /// The objects asked for, by which a late answer is known.
  var className: String
  var selection: GridView.Selection
  var start: Int
  var page: ObjectPage
}

/// A change that the user asked for.
enum BrowserEdit: Equatable, Sendable {
  case set(ObjectReference, field: String, StateDump.Item)
  case erase(ObjectReference)
}

/// The state of the connection to a server, in words for the status line.
struct BrowserStatus: Equatable, Sendable {
  var text = ""
  var isProblem = false
}
