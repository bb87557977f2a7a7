public import DataModel

/// Where an instruction applies: a field of a top-level object, and the way from there into collections and
/// embedded objects.
///
///     Doc[1].subs                  field "subs",  path []
///     Doc[1].subs[0].x             field "subs",  path [.index(0), .name("x")]
///     Doc[1].props["color"]        field "props", path [.name("color")]
public struct Target: Hashable, Sendable {
  public var object: ObjectReference
  public var field: String
  public var path: [PathElement]

  public init(object: ObjectReference, field: String, path: [PathElement] = []) {
    self.object = object
    self.field = field
    self.path = path
  }
}

/// One step into a collection or an embedded object.
public enum PathElement: Hashable, Sendable {
  /// An element of a list.
  case index(UInt32)
  /// A key of a dictionary or a field of an embedded object.
  case name(String)
}

extension PathElement: CustomStringConvertible {
  public var description: String {
    switch self {
    case .index(let index): "[\(index)]"
    case .name(let name): "[\"\(name)\"]"
    }
  }
}

extension Target: CustomStringConvertible {
  public var description: String { "\(object).\(field)" + path.map(\.description).joined() }
}
