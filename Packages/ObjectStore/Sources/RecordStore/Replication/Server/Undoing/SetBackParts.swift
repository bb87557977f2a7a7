import ChangesetOT

/// The objects that versions after the base of an upload erase in its author's file, and the fields whose collections they put
/// back.
struct SetBackParts {
  /// The last version that set each of them back.
  private var versions: [RefusedPart: ServerVersion] = [:]
  private var last = ServerVersion.zero
  /// The version after which they count.
  var base = ServerVersion.zero

  var isEmpty: Bool { last <= base }

  func contains(_ part: RefusedPart) -> Bool { versions[part].map { $0 > base } ?? false }

  /// Adds what a changeset sets back. O(*n*) in its instructions.
  mutating func add(_ changeset: Changeset, at version: ServerVersion) {
    for instruction in changeset.instructions {
      if case .eraseObject(let it) = instruction { add(.object(it.object), at: version) }
      if let target = instruction.target, instruction.changesPlaces {
        add(.field(target.object, target.field), at: version)
      }
    }
  }

  private mutating func add(_ part: RefusedPart, at version: ServerVersion) {
    versions[part] = max(versions[part] ?? .zero, version)
    last = max(last, version)
  }
}
