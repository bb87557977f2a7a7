import ChangesetOT
import DataModel
import StorageEngine
import SubscriptionMatching

/// The objects that versions of a server's history changed, with their own values before and after, for the matcher.
///
/// The read view that is handed in is of the last of the versions.
struct CommitChanges {
  /// Objects for which the matcher is asked at a time: the values of no more are in memory.
  static let chunk = 1_024

  private var parts: [ObjectReference: [VersionInverse.Part]] = [:]
  /// In the order of their first changes.
  private(set) var objects: [ObjectReference] = []

  init(_ inverses: [(version: ServerVersion, inverse: VersionInverse)]) {
    for (_, inverse) in inverses {
      for part in inverse.parts {
        if parts[part.object] == nil { objects.append(part.object) }
        parts[part.object, default: []].append(part)
      }
    }
  }

  /// The change of an object; nil when nothing is left of it, or when its objects are in no view.
  ///
  /// - Complexity: O(fields of the class + inverses of the object).
  func change(of object: ObjectReference, in readView: ReadView) throws -> ObjectChange? {
    guard let layout = readView.catalog[object.className], layout.kind == .topLevel, let parts = parts[object] else {
      return nil
    }
    let after = try Self.values(of: object, layout, in: readView)
    var before = after
    var changed: Set<String> = []
    for part in parts.reversed() {
      guard part.existed else {
        before = nil
        continue
      }
      var values = before ?? layout.fields.map(\.ownInitialValue)
      for (name, inverse) in part.fields {
        changed.insert(name)
        guard let position = layout.fields.firstIndex(where: { $0.name == name }) else { continue }
        guard layout.fields[position].isOwn else { continue }
        if case .whole(.value(let value)) = inverse {
          values[position] = value.isLink ? .null : value
        } else {
          values[position] = layout.fields[position].ownInitialValue
        }
      }
      before = values
    }
    guard before != nil || after != nil else { return nil }
    let positions = layout.fields.indices.filter { changed.contains(layout.fields[$0].name) }
    return ObjectChange(
      className: object.className, key: object.key, before: before, after: after, changedProperties: positions)
  }

  /// The values of an object now; nil when it does not exist. Links and collections stand as null.
  static func values(of object: ObjectReference, _ layout: ClassLayout, in readView: ReadView) throws
    -> [Value]?
  {
    guard let row = try readView.row(object.key, layout),
      let cluster = try readView.reader.cluster(of: row, in: layout.table)
    else { return nil }
    return try layout.fields.map { field in
      guard field.isOwn else { return .null }
      return try readView.value(field, cluster, slot: row.slot).scalar ?? .null
    }
  }
}

extension FieldLayout {
  /// Whether conditions on the field are decided by the object itself.
  fileprivate var isOwn: Bool { collection == .single && !isFixedLink }

  /// The value of a new object as the matcher knows it.
  fileprivate var ownInitialValue: Value { isOwn ? initialValue : .null }
}

extension Value {
  fileprivate var isLink: Bool {
    switch self {
    case .link, .list, .dictionary: true
    case .null, .int, .bool, .string, .data, .timestamp, .float, .double, .decimal128, .objectId, .uuid: false
    }
  }
}
