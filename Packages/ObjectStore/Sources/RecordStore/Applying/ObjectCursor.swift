import DataModel
import StorageEngine

/// The object that was addressed last: the next instruction mostly addresses the same one, and the next field of it.
///
/// Rows stay where they are until their object is erased, and classes until the schema changes.
final class ObjectCursor {
  private var className = ""
  private var key = ObjectKey.null
  /// The class of the object; nil when none is remembered.
  private(set) var layout: ClassLayout?
  private(set) var row = RowKey.none
  /// Writes the rows of the class.
  private(set) var table: TableWriter?
  /// The position among the fields of the class at which the next instruction is expected.
  var nextField = 0

  func isAbout(_ object: ObjectReference) -> Bool {
    guard layout != nil else { return false }
    // Mostly two numbers, which are compared without a look at what else keys can be.
    if case .int(let number) = object.key {
      guard case .int(number) = key else { return false }
    } else {
      guard object.key == key else { return false }
    }
    return object.className == className
  }

  func remember(_ object: ObjectReference, _ layout: ClassLayout, _ row: RowKey, _ table: TableWriter) {
    className = object.className
    key = object.key
    self.layout = layout
    self.row = row
    self.table = table
    // Keys are never written, and mostly come first.
    nextField = layout.key?.field == 0 ? 1 : 0
  }

  func forget() { (layout, table) = (nil, nil) }
}
