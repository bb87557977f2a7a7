public import ByteCoding

/// The value of a field of one object, as a resolver returns it.
public indirect enum ResolvedValue: Sendable {
  /// No value.
  case null
  /// A truth value.
  case bool(Bool)
  /// An integer.
  case int(Int64)
  /// Any other number.
  case double(Double)
  /// A text; also the word of an enumeration.
  case string(String)
  /// Any JSON, for custom scalars.
  case json(JSONValue)
  /// A list.
  case list([ResolvedValue])
  /// An object, whose fields are asked for in their turn.
  case object(any GraphQLObject)
  /// No value, and the reason, which becomes an error of the response.
  case failure(any Error)
  /// A value that takes time; those of one level of a query are awaited together.
  case deferred(@Sendable () async throws -> ResolvedValue)
}

/// An object that answers one field at a time: the simple way to write resolvers.
///
/// Services with many objects answer a field for all of them at once, see ``ObjectBatch``.
public protocol GraphQLObject: Sendable {
  /// The name of the object type.
  var typeName: String { get }

  /// The value of a field; its arguments are coerced.
  ///
  /// - Throws: any error; it becomes an error of the response with the path of the field.
  func resolve(_ field: FieldCall) throws -> ResolvedValue
}
