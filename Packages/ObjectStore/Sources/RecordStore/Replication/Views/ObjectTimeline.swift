import ChangesetOT
import DataModel
import StorageEngine

/// Where an object was as seen from a query, from one version of the history on.
struct ObjectTimeline: Sendable {
  /// Where an object is.
  enum Place: Sendable { case absent, outside, inside }

  /// The versions that touched the object, ascending.
  let versions: [ServerVersion]
  /// Before the first of them, and after each.
  let places: [Place]

  /// Where the object was at a version. O(log *n*).
  func place(at version: ServerVersion) -> Place { places[count(until: version)] }

  /// The places up to a version; all of them without one. O(log *n*).
  func places(until version: ServerVersion?) -> ArraySlice<Place> {
    version.map { places[...count(until: $0)] } ?? places[...]
  }

  /// The number of versions up to one.
  private func count(until version: ServerVersion) -> Int {
    var (low, high) = (0, versions.count)
    while low < high {
      let middle = (low + high) / 2
      if versions[middle] <= version { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension RealmQueries {
  /// The timelines of objects of one class from a version on, as seen from the condition of the class; without one all that
  /// exist are outside. The user's roles are those of now, and so are the permission objects in lists since they were made.
  ///
  /// - Complexity: O(*n*) in the inverses of the objects since then.
  func timelines(
    of objects: [ObjectReference], _ className: String, _ past: PastStates, since base: ServerVersion,
    in readView: ReadView
  ) throws -> [ObjectReference: ObjectTimeline] {
    let query = self[className]
    let judge = OwnStateJudge(query, permissions, PastEntries(past, since: base, readView))
    var timelines: [ObjectReference: ObjectTimeline] = [:]
    for object in objects {
      let touched = past.touched(object, after: base)
      var state = try OwnState(of: object, query?.fields ?? [], query?.lists ?? [], readView)
      var places: [ObjectTimeline.Place] = []
      // Backwards: a state costs what its version touched.
      for (version, part) in touched.reversed() {
        places.append(try judge.place(of: state, at: version))
        try OwnState.takeBack(part, &state, query?.fields ?? [], query?.lists ?? [])
      }
      places.append(try judge.place(of: state, at: base))
      timelines[object] = ObjectTimeline(versions: touched.map(\.version), places: places.reversed())
    }
    return timelines
  }
}

/// Decides by the states of objects of one class whether a query selects them and the user's roles let them be read.
private struct OwnStateJudge {
  let query: ClassQuery?
  let permissions: ViewPermissions?
  let entries: PastEntries

  init(_ query: ClassQuery?, _ permissions: ViewPermissions?, _ entries: PastEntries) {
    self.query = query
    self.permissions = permissions
    self.entries = entries
  }

  func place(of state: OwnState?, at version: ServerVersion) throws -> ObjectTimeline.Place {
    guard let state else { return .absent }
    guard let query, try query.selects(state.values) else { return .outside }
    guard !query.lists.isEmpty, let permissions else { return .inside }
    let list = try entries.list(of: state, at: version)
    return permissions.reads(list, inClass: query.layout.name) ? .inside : .outside
  }
}

extension OwnState {
  /// The present state of an object, as far as some fields and access lists of its class have it; nil when it does not exist.
  init?(
    of object: ObjectReference, _ fields: [FieldLayout], _ lists: [FieldLayout], _ readView: ReadView
  ) throws {
    guard let layout = readView.catalog[object.className], let row = try readView.row(object.key, layout) else {
      return nil
    }
    values = try fields.map { try readView.value(Cell(layout, row, $0)).scalar ?? .null }
    self.lists = try lists.map { try readView.fieldItem(Cell(layout, row, $0)) }
  }

  /// Takes back what a version did to the state of an object.
  static func takeBack(
    _ part: VersionInverse.Part, _ state: inout OwnState?, _ fields: [FieldLayout], _ lists: [FieldLayout]
  ) throws {
    guard part.existed else {
      state = nil
      return
    }
    // A field that is not among those of an erased object was declared later.
    var before = state ?? OwnState(values: fields.map(\.initialValue), lists: lists.map { _ in .list([]) })
    for (position, field) in fields.enumerated() {
      guard let inverse = part.fields[field.name] else { continue }
      if case .whole(.value(let value)) = inverse {
        before.values[position] = value
      } else {
        before.values[position] = field.initialValue
      }
    }
    for (position, list) in lists.enumerated() {
      guard let inverse = part.fields[list.name] else { continue }
      before.lists[position] = try inverse.before(before.lists[position])
    }
    state = before
  }
}
