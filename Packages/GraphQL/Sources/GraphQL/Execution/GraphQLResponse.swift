import ByteCoding

/// The answer to a request, with its data as JSON bytes.
public struct GraphQLResponse: Sendable {
  /// The JSON text of `data`: an object or `null`; nil when the request was refused before it ran.
  public var data: [UInt8]?
  /// The errors.
  public var errors: [GraphQLError]
  /// Facts beside the data.
  public var extensions: [GraphQLError.Extension] = []

  /// A response.
  public init(data: [UInt8]?, errors: [GraphQLError] = []) {
    self.data = data
    self.errors = errors
  }

  /// The response to a request that was refused before it ran.
  public init(refused errors: [GraphQLError]) { self.init(data: nil, errors: errors) }

  /// The whole response as JSON. O(bytes).
  public var bytes: [UInt8] {
    var writer = JSONWriter(capacity: (data?.count ?? 0) + errors.count * 200 + 32)
    writer.raw("{")
    var needsComma = false
    if let data {
      writer.raw("\"data\":")
      writer.raw(data)
      needsComma = true
    }
    if !errors.isEmpty {
      writer.raw(needsComma ? ",\"errors\":[" : "\"errors\":[")
      for (index, error) in errors.enumerated() {
        if index > 0 { writer.raw(",") }
        writer.write(error)
      }
      writer.raw("]")
      needsComma = true
    }
    if !extensions.isEmpty {
      writer.raw(needsComma ? ",\"extensions\":" : "\"extensions\":")
      writer.write(extensions)
    }
    writer.raw("}")
    return writer.bytes
  }

  /// The whole response as a JSON text.
  public var text: String { String(decoding: bytes, as: UTF8.self) }
}

extension JSONWriter {
  mutating func write(_ error: GraphQLError) {
    raw("{\"message\":")
    write(error.message)
    if !error.locations.isEmpty {
      raw(",\"locations\":[")
      for (index, location) in error.locations.enumerated() {
        raw(index > 0 ? ",{\"line\":" : "{\"line\":")
        write(Int64(location.line))
        raw(",\"column\":")
        write(Int64(location.column))
        raw("}")
      }
      raw("]")
    }
    if !error.path.isEmpty {
      raw(",\"path\":[")
      for (index, element) in error.path.enumerated() {
        if index > 0 { raw(",") }
        switch element {
        case .key(let key): write(key)
        case .index(let position): write(Int64(position))
        }
      }
      raw("]")
    }
    if !error.extensions.isEmpty {
      raw(",\"extensions\":")
      write(error.extensions)
    }
    raw("}")
  }

  mutating func write(_ extensions: [GraphQLError.Extension]) {
    raw(JSONValue.object(extensions.map { ($0.name, $0.value) }).text)
  }
}
