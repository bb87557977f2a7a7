import ChangesetOT
import DataModel

/// Objects of asymmetric classes are created once and never written again.
extension UploadAdmission {
  /// The objects of asymmetric classes that changesets touch and that are there already.
  static func asymmetricObjects(of changesets: [Changeset], in readView: ReadView) throws -> Set<ObjectReference> {
    var found: Set<ObjectReference> = []
    for object in changesets.lazy.flatMap(\.instructions).compactMap(\.object) {
      guard let layout = readView.catalog[object.className], layout.kind == .asymmetric, !found.contains(object),
        try readView.row(object.key, layout) != nil
      else { continue }
      found.insert(object)
    }
    return found
  }

  /// Leaves instructions for objects that are there already out of a changeset: creating an object twice creates it once,
  /// and anything else is refused.
  mutating func keepFirst(
    of objects: Set<ObjectReference>, in changeset: inout Changeset, at offset: Int, _ version: ClientVersion
  ) {
    var again: Set<ObjectReference> = []
    changeset.instructions.removeAll { instruction in
      guard let object = instruction.object, objects.contains(object) else { return false }
      if case .createObject = instruction { again.insert(object) }
      if !again.contains(object) {
        refuse(.object(object), of: object, at: offset, version, "objects of an asymmetric class are only created")
      }
      return true
    }
  }
}
