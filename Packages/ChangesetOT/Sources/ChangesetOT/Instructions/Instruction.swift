/// One operation of an author on one class, field, object, value or element: the unit of changesets and of the merge.
///
/// Instructions address everything by name: classes and fields by their names, objects by key, list elements by
/// index in the raw list (links without an object counted).
///
/// - SeeAlso: `Docs/ChangesetFormat.md`
public enum Instruction: Hashable, Sendable {
  /// Declares a class.
  case addTable(AddTable)
  /// Erases a class with all its objects.
  case eraseTable(EraseTable)
  /// Creates an object.
  case createObject(CreateObject)
  /// Erases an object.
  case eraseObject(EraseObject)
  /// Sets a field, a list element or a dictionary value.
  case update(Update)
  /// Adds to an integer.
  case addInteger(AddInteger)
  /// Declares a field of a class.
  case addColumn(AddColumn)
  /// Erases a field of a class.
  case eraseColumn(EraseColumn)
  /// Inserts a list element.
  case arrayInsert(ArrayInsert)
  /// Moves a list element.
  case arrayMove(ArrayMove)
  /// Removes a list element.
  case arrayErase(ArrayErase)
  /// Empties a collection.
  case clear(Clear)
  /// Adds a member to a set.
  case setInsert(SetInsert)
  /// Removes a member from a set.
  case setErase(SetErase)
}
