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
  func place(at version: ServerVersion) -> Place {
    var (low, high) = (0, versions.count)
    while low < high {
      let middle = (low + high) / 2
      if versions[middle] <= version { low = middle + 1 } else { high = middle }
    }
    return places[low]
  }
}

extension PastStates {
  /// The timelines of objects of one class from a version on, as seen from its query; without a query all that exist are
  /// outside.
  ///
  /// - Complexity: O(*n*) in the inverses of the objects since then.
  func timelines(
    of objects: [ObjectReference], _ className: String, _ query: ClassQuery?, since base: ServerVersion,
    in readView: ReadView
  ) throws -> [ObjectReference: ObjectTimeline] {
    var found: [(object: ObjectReference, versions: [ServerVersion], rows: [Int?])] = []
    var states: [[Value]] = []
    for object in objects {
      let touched = touched(object, after: base)
      var state = try present(object, className, query, readView)
      var rows: [Int?] = []
      var last: Int?
      func note() {
        if let state, last == nil {
          last = states.count
          states.append(state)
        }
        rows.append(state == nil ? nil : last)
      }
      note()
      // Backwards: a state costs what its version touched.
      for (_, part) in touched.reversed() {
        if Self.takeBack(part, &state, query) { last = nil }
        note()
      }
      found.append((object, touched.map(\.version), rows.reversed()))
    }
    let selected = try query?.selects(states) ?? [Bool](repeating: false, count: states.count)
    var timelines: [ObjectReference: ObjectTimeline] = [:]
    for (object, versions, rows) in found {
      let places = rows.map { row -> ObjectTimeline.Place in
        guard let row else { return .absent }
        return selected[row] ? .inside : .outside
      }
      timelines[object] = ObjectTimeline(versions: versions, places: places)
    }
    return timelines
  }

  /// The values that a query asks for; nil when the object does not exist.
  private func present(
    _ object: ObjectReference, _ className: String, _ query: ClassQuery?, _ readView: ReadView
  ) throws -> [Value]? {
    guard let layout = readView.catalog[className], let row = try readView.row(object.key, layout) else { return nil }
    return try query?.fields.map { try readView.value(Cell(layout, row, $0)).scalar ?? .null } ?? []
  }

  /// Takes back what a version did to the values of an object.
  ///
  /// - Returns: whether that changed anything.
  private static func takeBack(_ part: VersionInverse.Part, _ state: inout [Value]?, _ query: ClassQuery?) -> Bool {
    guard part.existed else {
      defer { state = nil }
      return state != nil
    }
    let fields = query?.fields ?? []
    var changed = state == nil
    // A field that is not among those of an erased object was declared later.
    var values = state ?? fields.map(\.initialValue)
    for (position, field) in fields.enumerated() {
      guard let inverse = part.fields[field.name] else { continue }
      if case .whole(.value(let value)) = inverse {
        values[position] = value
      } else {
        values[position] = field.initialValue
      }
      changed = true
    }
    state = values
    return changed
  }
}
