import ChangesetOT
import DataModel
import StorageEngine

extension ViewPermissions {
  /// Whether the own access list of an object let the user read it whenever it was there, from one version on and before another one.
  ///
  /// - Parameters:
  ///   - past: the inverses since the start; the permission objects in the lists are what they have been since they were made.
  ///   - readView: of the newest version.
  /// - Complexity: O(*n*) in the inverses of the object and the entries of its lists.
  func read(
    _ object: ObjectReference, _ past: PastStates, from start: ServerVersion, before end: ServerVersion,
    in readView: ReadView
  ) throws -> Bool {
    guard asksLists, let layout = readView.catalog[object.className] else { return true }
    let lists = accessLists(of: layout)
    guard !lists.isEmpty else { return true }
    let entries = PastEntries(past, since: start, readView)
    var state = try OwnState(of: object, [], lists, readView)
    func isReadable(at version: ServerVersion) throws -> Bool {
      guard let state else { return true }
      return reads(try entries.list(of: state, at: version), inClass: object.className)
    }
    for (version, part) in past.touched(object, after: start).reversed() {
      if version < end, try !isReadable(at: version) { return false }
      try OwnState.takeBack(part, &state, [], lists)
    }
    return try isReadable(at: start)
  }
}
