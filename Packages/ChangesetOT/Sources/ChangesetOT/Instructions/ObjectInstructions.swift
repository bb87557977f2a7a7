public import DataModel

/// Creates an object; does nothing when it exists.
public struct CreateObject: Hashable, Sendable {
  /// The object.
  public var object: ObjectReference
  /// A creation.
  public init(object: ObjectReference) { self.object = object }
}

/// Erases an object; does nothing when it does not exist.
public struct EraseObject: Hashable, Sendable {
  /// The object.
  public var object: ObjectReference
  /// An erasure of an object.
  public init(object: ObjectReference) { self.object = object }
}
