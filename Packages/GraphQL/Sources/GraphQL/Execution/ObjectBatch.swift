/// Objects that are answered together: a field is asked for once, for all of them.
///
/// Ten thousand objects with three fields are three calls of ``resolve(_:)``. A column of leaves writes its values into
/// the response itself, so no value is made per object.
public protocol ObjectBatch: Sendable {
  /// The number of objects.
  var count: Int { get }

  /// The object types of the objects.
  var types: BatchTypes { get }

  /// The field of all objects, in their order. All of them have the same type.
  ///
  /// The call knows the fields selected below: ``FieldCall/fields(on:)``.
  ///
  /// - Throws: any error; it becomes the error of the field in every object.
  func resolve(_ field: FieldCall) throws -> FieldColumn

  /// The objects at some positions, in this order. Asked only of batches of several types.
  func subset(_ positions: [Int]) -> any ObjectBatch
}

extension ObjectBatch {
  /// The batch itself, right for batches of one type.
  public func subset(_ positions: [Int]) -> any ObjectBatch { self }
}

/// The object types of a batch.
public enum BatchTypes: Sendable {
  /// All objects have one type.
  case all(String)
  /// The type of each object.
  case each([String])
}

/// The values of one field for all objects of a batch, in their order.
public enum FieldColumn: Sendable {
  /// Leaves that write themselves; trusted to write JSON that the type of the field has.
  case leaves(any LeafColumn)
  /// Values of any type, coerced and checked one by one.
  case values([ResolvedValue])
  /// Objects below.
  case objects(any ObjectBatch, ObjectPlaces)
  /// A column that takes time; those of one level of a query are awaited together.
  case deferred(@Sendable () async throws -> FieldColumn)
}

/// Leaves that write themselves into the response. A class, so that handing it around costs one retain.
public protocol LeafColumn: AnyObject, Sendable {
  /// Writes the value of the object at a position, null included, and answers whether it is not null.
  ///
  /// - Throws: any error; it becomes an error of the response, and what was written is taken back.
  func write(_ position: Int, to writer: inout JSONWriter) throws -> Bool
}

/// The places of the objects of a batch below the objects above.
public enum ObjectPlaces: Sendable {
  /// Object *i* above has object *i* below.
  case one
  /// Object *i* above has the object at this position below; a negative number is null.
  case optional([Int])
  /// Object *i* above has the list of objects from position *i* to position *i + 1* of these; one more than objects.
  case lists([Int])
  /// Any shape.
  case shapes([Shape])

  /// The shape of one value.
  public indirect enum Shape: Sendable {
    /// No object.
    case null
    /// The object at a position below.
    case object(Int)
    /// A list.
    case list([Shape])
    /// No object, and why.
    case failure(any Error)
  }
}
