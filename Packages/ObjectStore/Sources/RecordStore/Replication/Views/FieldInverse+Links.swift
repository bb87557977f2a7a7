import ChangesetOT
import DataModel

extension FieldInverse {
  /// Appends the objects to which a version took links away.
  ///
  /// - Complexity: O(*n*) in the inverse.
  func appendLostLinks(to objects: inout [ObjectReference]) {
    switch self {
    case .absent: break
    case .whole(let item): item.appendLinks(to: &objects)
    case .list(let steps):
      for step in steps {
        switch step {
        case .insert(_, let item), .set(_, let item): item.appendLinks(to: &objects)
        case .remove, .move: break
        }
      }
    case .entries(let entries): for item in entries.values { item?.appendLinks(to: &objects) }
    case .members(let members):
      for (value, wasThere) in members where wasThere { value.appendLinks(to: &objects) }
    }
  }
}

extension StateDump.Item {
  /// Appends the objects that the content links to.
  fileprivate func appendLinks(to objects: inout [ObjectReference]) {
    switch self {
    case .value(let value): value.appendLinks(to: &objects)
    case .embedded(let fields): for item in fields.values { item.appendLinks(to: &objects) }
    case .list(let items): for item in items { item.appendLinks(to: &objects) }
    case .dictionary(let entries): for item in entries.values { item.appendLinks(to: &objects) }
    case .set(let values): for value in values { value.appendLinks(to: &objects) }
    }
  }
}

extension Value {
  fileprivate func appendLinks(to objects: inout [ObjectReference]) {
    switch self {
    case .link(let object): objects.append(object)
    case .list(let elements): for element in elements { element.appendLinks(to: &objects) }
    case .dictionary(let entries): for entry in entries.values { entry.appendLinks(to: &objects) }
    case .null, .int, .bool, .string, .data, .timestamp, .float, .double, .decimal128, .objectId, .uuid: break
    }
  }
}
