import ChangesetOT
import DataModel
import StorageEngine

/// Writes the changeset that undoes, in the file of their author, changesets that have no effect here.
///
/// The changeset states what the touched objects and fields hold in this file, whatever they hold there: objects that are not here are
/// erased; those that were created or erased are created, which brings links to them back, and all their fields set;
/// fields are set anew, collections cleared and filled. So it needs no knowledge of the other file's state, and does no
/// harm when it comes twice.
///
/// - Complexity: O(*n*) in the size of what it restores.
struct CompensationWriter {
  /// The most bytes that are restored for one upload.
  static let limit = 1 << 20

  let readView: ReadView
  private var piece = ChangesetWriter()

  init(_ readView: ReadView) { self.readView = readView }

  /// The changeset; empty when there is nothing to undo.
  ///
  /// - Parameter holds: whether the other file is to hold an object that is here.
  /// - Throws: ``UploadRefusal/cannotBeUndone(_:)`` when it would be larger than ``limit``.
  mutating func changeset(
    restoring touched: TouchedObjects, holds: (ObjectReference) throws -> Bool = { _ in true }
  ) throws -> [UInt8] {
    var present: [(object: ObjectReference, layout: ClassLayout, row: RowKey)] = []
    for object in touched.objects {
      if let layout = readView.catalog[object.className], let row = try readView.row(object.key, layout),
        try holds(object)
      {
        present.append((object, layout, row))
      } else if readView.catalog[object.className] != nil || touched.isMerged(object) {
        piece.eraseObject(piece.intern(object.className), object.key)
      }
    }
    for (object, layout, _) in present where touched.isWhole(object) {
      piece.createObject(piece.intern(layout.name), object.key)
    }
    // Everything is there before anything links to it.
    for links in [false, true] {
      for (object, layout, row) in present {
        for field in layout.fields where field.canLink == links && field.column != layout.keyField?.column {
          if touched.contains(field.name, of: object) { try restore(Cell(layout, row, field), of: object) }
        }
      }
    }
    return piece.isEmpty ? [] : piece.finish()
  }

  private mutating func restore(_ cell: Cell, of object: ObjectReference) throws {
    guard piece.count <= Self.limit else {
      throw UploadRefusal.cannotBeUndone("it touches more than \(Self.limit) bytes")
    }
    let (table, name) = (piece.intern(cell.layout.name), piece.intern(cell.field.name))
    let values = ValueSynthesis(readView: readView, table: table, key: object.key, field: name)
    switch cell.field.collection {
    case .single:
      let value = try readView.value(cell)
      // An embedded object or a nested collection that is there already would stay.
      if value.mayLink { piece.update(table, object.key, name, payload: .null) }
      try values.write(value, [], &piece)
    case .list:
      piece.clear(table, object.key, name, collection: .list)
      try readView.list(cell).forEach { position, value in
        try values.write(value, [.index(UInt32(position))], &piece)
        return piece.count <= Self.limit
      }
    case .set, .dictionary:
      piece.clear(table, object.key, name, collection: cell.field.collection)
      try readView.map(cell).forEach { key, value in
        try values.writeEntry(key, value, cell.field, [], &piece)
        return piece.count <= Self.limit
      }
    }
    guard piece.count <= Self.limit else {
      throw UploadRefusal.cannotBeUndone("it touches more than \(Self.limit) bytes")
    }
  }
}
