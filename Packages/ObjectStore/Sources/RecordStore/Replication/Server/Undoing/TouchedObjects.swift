import ChangesetOT
import DataModel

/// The objects and fields addressed by changesets that are to have no effect: all that must be restored in the author's file.
///
/// Collected from the changesets as they were made. Merging can only take effects away, so nothing is missed.
struct TouchedObjects {
  /// All objects, in the order in which they were first addressed.
  private(set) var objects: [ObjectReference] = []
  private var known: Set<ObjectReference> = []
  /// Objects that were created or erased: every field of them is restored.
  private var whole: Set<ObjectReference> = []
  private var fields: [ObjectReference: Set<String>] = [:]
  private var merged: Set<ObjectReference> = []

  /// Adds what a changeset addresses.
  ///
  /// - Throws: ``UploadRefusal/cannotBeUndone(_:)`` when it erases a class or a field, with everything in it.
  mutating func add(_ changeset: Changeset) throws {
    for instruction in changeset.instructions {
      if case .eraseTable = instruction { throw UploadRefusal.cannotBeUndone("it erases a class") }
      if case .eraseColumn = instruction { throw UploadRefusal.cannotBeUndone("it erases a field") }
      guard let object = instruction.object else { continue }
      if known.insert(object).inserted { objects.append(object) }
      if let field = instruction.target?.field {
        fields[object, default: []].insert(field)
      } else {
        whole.insert(object)
      }
    }
  }

  /// Adds what others are.
  ///
  /// - Complexity: O(*n*) in the others.
  mutating func add(_ others: TouchedObjects) {
    for object in others.objects where known.insert(object).inserted { objects.append(object) }
    whole.formUnion(others.whole)
    fields.merge(others.fields) { $0.union($1) }
    merged.formUnion(others.merged)
  }

  /// Adds an object with all of its fields.
  mutating func addWhole(_ object: ObjectReference) {
    if known.insert(object).inserted { objects.append(object) }
    whole.insert(object)
  }

  /// Notes what a changeset still addresses after it was merged.
  mutating func noteMerged(_ changeset: Changeset) { merged.formUnion(changeset.instructions.compactMap(\.object)) }

  /// Whether something of it is left after the merge. Of a class that others have erased meanwhile nothing is: it will be
  /// gone in the author's file, too, before what is written here arrives there.
  func isMerged(_ object: ObjectReference) -> Bool { merged.contains(object) }

  /// Whether the object was created or erased.
  func isWhole(_ object: ObjectReference) -> Bool { whole.contains(object) }

  /// Whether a field of the object is to be restored.
  func contains(_ field: String, of object: ObjectReference) -> Bool {
    isWhole(object) || fields[object]?.contains(field) == true
  }
}
