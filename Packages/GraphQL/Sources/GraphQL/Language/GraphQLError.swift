public import ByteCoding

/// An error as a response carries it: a message, the places in the document, the path in the data.
///
///     {"message": "Cannot query field \"nmae\" on type \"Dog\".", "locations": [{"line": 1, "column": 9}]}
public struct GraphQLError: Error, Hashable, Sendable {
  /// A sentence for the developer of the client.
  public var message: String
  /// The places in the document that the error is about, in their order.
  public var locations: [SourceLocation]
  /// The response keys and list positions from the root of the data to the field that failed; empty for request errors.
  public var path: [PathElement]
  /// Facts for programs, such as `code`.
  public var extensions: [Extension]

  /// One entry of `extensions`.
  public struct Extension: Hashable, Sendable {
    /// The name of the entry.
    public var name: String
    /// The value, any JSON.
    public var value: JSONValue

    /// An entry.
    public init(_ name: String, _ value: JSONValue) {
      self.name = name
      self.value = value
    }
  }

  /// An error; `code` becomes the entry `code` of the extensions.
  public init(
    _ message: String, locations: [SourceLocation] = [], path: [PathElement] = [], code: String? = nil,
    extensions: [Extension] = []
  ) {
    self.message = message
    self.locations = locations
    self.path = path
    self.extensions = (code.map { [Extension("code", .string($0))] } ?? []) + extensions
  }

  /// The entry `code` of the extensions, if there is one.
  public var code: String? { extensions.first { $0.name == "code" }?.value.string }
}

/// One step of a path: a response key, or a position in a list.
public enum PathElement: Hashable, Sendable {
  /// The key under which a field stands in the response.
  case key(String)
  /// A position in a list, from 0.
  case index(Int)
}

extension GraphQLError: CustomStringConvertible {
  /// The message, with the first location before it: `1:9: Cannot query …`.
  public var description: String {
    guard let first = locations.first else { return message }
    return "\(first.line):\(first.column): \(message)"
  }
}
