public import DataModel

/// The address of a value: a field of a top-level object, and the path from there into collections and embedded objects.
///
///     Doc[1].subs                  field "subs",  path []
///     Doc[1].subs[0].x             field "subs",  path [.index(0), .name("x")]
///     Doc[1].props["color"]        field "props", path [.name("color")]
public struct Target: Hashable, Sendable {
  /// The top-level object.
  public var object: ObjectReference
  /// The field of that object.
  public var field: String
  /// The elements and keys from the field to the value; empty for the field itself.
  public var path: [PathElement]

  /// A target; by itself a whole field.
  public init(object: ObjectReference, field: String, path: [PathElement] = []) {
    self.object = object
    self.field = field
    self.path = path
  }
}

/// One component of a path: an element of a collection, or a field of an embedded object.
public enum PathElement: Hashable, Sendable {
  /// An element of a list.
  case index(UInt32)
  /// A key of a dictionary or a field of an embedded object.
  case name(String)
}

extension PathElement: CustomStringConvertible {
  /// The component in brackets, such as `[0]` or `["name"]`.
  public var description: String {
    switch self {
    case .index(let index): "[\(index)]"
    case .name(let name): "[\"\(name)\"]"
    }
  }
}

extension Target: CustomStringConvertible {
  /// Object, field and path, such as `Doc[1].subs[0]["x"]`.
  public var description: String { "\(object).\(field)" + path.map(\.description).joined() }
}
