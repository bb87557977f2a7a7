import ChangesetOT
import DataModel
import StorageEngine

/// One touched object at a past version, as a difference to the present.
struct PastObject {
  let reference: ObjectReference
  let layout: ClassLayout
  /// The row of the object now; nil when it does not exist now.
  let row: RowKey?
  /// Whether the object existed at the version.
  private(set) var existed: Bool
  /// Whether every field that is not among ``fields`` held what it holds now. Otherwise it held what a new object does:
  /// the object was erased since then.
  private(set) var keepsRest: Bool
  /// The content at the version of the fields that were touched since then; nil where the field was not declared yet.
  private(set) var fields: [String: StateDump.Item?] = [:]

  /// - Parameter parts: the inverses of the object's versions after the one that is asked for, ascending.
  /// - Complexity: O(*n*) in the touched fields and their inverses.
  init(
    _ reference: ObjectReference, _ layout: ClassLayout, _ parts: some BidirectionalCollection<VersionInverse.Part>,
    in readView: ReadView
  ) throws {
    self.reference = reference
    self.layout = layout
    row = try readView.row(reference.key, layout)
    existed = row != nil
    keepsRest = existed
    for part in parts.reversed() { try takeBack(part, readView) }
  }

  /// Takes back what one version did.
  private mutating func takeBack(_ part: VersionInverse.Part, _ readView: ReadView) throws {
    existed = part.existed
    guard part.existed else {
      keepsRest = false
      fields = [:]
      return
    }
    for (name, inverse) in part.fields {
      guard let field = layout.field(name) else { continue }
      let after: StateDump.Item?
      if let known = fields[name] {
        after = known
      } else if case .whole = inverse {
        after = nil
      } else {
        after = try keepsRest ? row.map { try readView.fieldItem(Cell(layout, $0, field)) } : nil
      }
      fields.updateValue(try inverse.before(after), forKey: name)
    }
  }
}

extension PastStates {
  /// The objects that versions after one touched, as they were at that version, in the order of classes and keys.
  ///
  /// - Complexity: O(*n*) in the touched objects and their inverses.
  func objects(touchedAfter version: ServerVersion, in readView: ReadView) throws -> [PastObject] {
    var objects: [PastObject] = []
    for (reference, touched) in parts {
      let later = touched.drop { $0.version <= version }
      guard !later.isEmpty, let layout = readView.catalog[reference.className] else { continue }
      objects.append(try PastObject(reference, layout, later.map(\.part), in: readView))
    }
    return objects.sorted { left, right in
      let (one, other) = (left.layout.table.rawValue, right.layout.table.rawValue)
      return one == other ? left.reference.key.precedes(right.reference.key) : one < other
    }
  }
}
