// Codable models: `final class Dog: Object, Codable`.

extension Persisted: Decodable where Value: Decodable {
  /// Decodes the value.
  ///
  /// - Throws: the error of the decoder.
  public init(from decoder: any Decoder) throws {
    // A container applies the decoder's strategies for dates and data.
    self.init(wrappedValue: try decoder.singleValueContainer().decode(Value.self))
    isAssigned = true
  }
}

extension Persisted: Encodable where Value: Encodable {
  /// Encodes the value of an unmanaged object, or that of a live object's row.
  ///
  /// - Throws: the error of the encoder; `EncodingError.invalidValue` for a property without a value whose class is not
  ///   `Encodable`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(try encoded(encoder.codingPath))
  }

  private func encoded(_ path: [any CodingKey]) throws -> Value {
    guard let owner else {
      if let value { return value }
      throw EncodingError.invalidValue(
        self,
        EncodingError.Context(
          codingPath: path,
          debugDescription: "Only properties of a class that is Encodable itself can be encoded one by one."))
    }
    if owner.pointee.view != nil, !Value._isStoredInObject { return Value._read(owner, Int(number)) }
    return value ?? Value._initialValue(owner, Int(number))
  }
}

/// A property wrapper whose key may be missing in decoded data.
public protocol OptionalCodingWrapper {
  associatedtype WrappedType: ExpressibleByNilLiteral
  init(wrappedValue: WrappedType)
}

extension Persisted: OptionalCodingWrapper where Value: ExpressibleByNilLiteral {
  /// The optional value.
  public typealias WrappedType = Value
}

extension KeyedDecodingContainer {
  /// Decodes an optional property: nil when the key is missing.
  ///
  /// - Throws: the error of the decoder.
  public func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T where T: OptionalCodingWrapper {
    try decodeIfPresent(type, forKey: key) ?? T(wrappedValue: nil)
  }
}

// MARK: Boxes of older models

extension RealmProperty: Decodable where Value: Decodable {
  /// Decodes the value.
  ///
  /// - Throws: the error of the decoder.
  public convenience init(from decoder: any Decoder) throws {
    self.init()
    value = try decoder.singleValueContainer().decode(Value.self)
  }
}

extension RealmProperty: Encodable where Value: Encodable {
  /// Encodes the value.
  ///
  /// - Throws: the error of the encoder.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(value)
  }
}

extension RealmOptional: Decodable where Value: Decodable {
  /// Decodes the optional value.
  ///
  /// - Throws: the error of the decoder.
  public convenience init(from decoder: any Decoder) throws {
    self.init(try decoder.singleValueContainer().decode(Value?.self))
  }
}

extension RealmOptional: Encodable where Value: Encodable {
  /// Encodes the value.
  ///
  /// - Throws: the error of the encoder.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(value)
  }
}
