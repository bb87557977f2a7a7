import ChangesetOT
import DataModel
import StorageEngine

extension ViewPermissions {
  /// Whether the own access list of an object let the user read it whenever it was there, from one version on and before another one.
  ///
  /// - Parameters:
  ///   - past: the inverses since the start; the permission objects in the lists are what they have been since then.
  ///   - readView: of the newest version.
  /// - Complexity: O(*n*) in the inverses of the object and the entries of its lists.
  func read(
    _ object: ObjectReference, _ past: PastStates, from start: ServerVersion, before end: ServerVersion,
    in readView: ReadView
  ) throws -> Bool {
    guard asksLists, let layout = readView.catalog[object.className], !layout.accessLists.isEmpty else { return true }
    let (lists, reader) = (layout.accessLists, PermissionReader(readView))
    var state = try OwnState(of: object, [], lists, readView)
    func isReadable() throws -> Bool {
      guard let entries = try state?.entries.compactMap({ try reader.entry(of: $0) }) else { return true }
      return reads(.entries(entries), inClass: object.className)
    }
    for (version, part) in past.touched(object, after: start).reversed() {
      if version < end, try !isReadable() { return false }
      try OwnState.takeBack(part, &state, [], lists)
    }
    return try isReadable()
  }
}
