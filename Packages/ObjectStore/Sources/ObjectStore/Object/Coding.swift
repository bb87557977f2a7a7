// Models as Codable types: `final class Dog: Object, Codable`.

extension Persisted: Decodable where Value: Decodable {
  public init(from decoder: any Decoder) throws {
    // Through a container, which knows the decoder's ways with dates and data.
    self.init(wrappedValue: try decoder.singleValueContainer().decode(Value.self))
    isAssigned = true
  }
}

extension Persisted: Encodable where Value: Encodable {
  /// Encodes the value: of an unmanaged object, or of the row of a live one.
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
    if owner.pointee.view != nil, !Value._isHeldByObject { return Value._read(owner, Int(number)) }
    return value ?? Value._initialValue(owner, Int(number))
  }
}

/// A property wrapper that may be missing where it is decoded.
public protocol OptionalCodingWrapper {
  associatedtype WrappedType: ExpressibleByNilLiteral
  init(wrappedValue: WrappedType)
}

extension Persisted: OptionalCodingWrapper where Value: ExpressibleByNilLiteral {
  public typealias WrappedType = Value
}

extension KeyedDecodingContainer {
  /// Decodes an optional property: nil when the key is missing.
  public func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T where T: OptionalCodingWrapper {
    try decodeIfPresent(type, forKey: key) ?? T(wrappedValue: nil)
  }
}

// MARK: Collections

extension List: Decodable where Element: Decodable {
  /// From an array.
  public convenience init(from decoder: any Decoder) throws { self.init(try [Element](from: decoder)) }
}

extension List: Encodable where Element: Encodable {
  /// As an array.
  public func encode(to encoder: any Encoder) throws { try Array(self).encode(to: encoder) }
}

extension MutableSet: Decodable where Element: Decodable {
  /// From an array.
  public convenience init(from decoder: any Decoder) throws { self.init(try [Element](from: decoder)) }
}

extension MutableSet: Encodable where Element: Encodable {
  /// As an array, in no order that means anything.
  public func encode(to encoder: any Encoder) throws { try Array(self).encode(to: encoder) }
}

extension Map: Decodable where Value: Decodable {
  /// From a keyed container.
  public convenience init(from decoder: any Decoder) throws { self.init(try [String: Value](from: decoder)) }
}

extension Map: Encodable where Value: Encodable {
  /// As a keyed container.
  public func encode(to encoder: any Encoder) throws { try _copy().unmanaged.encode(to: encoder) }
}

extension Results: Encodable where Element: Encodable {
  /// As an array.
  public func encode(to encoder: any Encoder) throws { try Array(self).encode(to: encoder) }
}

// MARK: Boxes of older models

extension RealmProperty: Decodable where Value: Decodable {
  public convenience init(from decoder: any Decoder) throws {
    self.init()
    value = try decoder.singleValueContainer().decode(Value.self)
  }
}

extension RealmProperty: Encodable where Value: Encodable {
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(value)
  }
}

extension RealmOptional: Decodable where Value: Decodable {
  public convenience init(from decoder: any Decoder) throws {
    self.init(try decoder.singleValueContainer().decode(Value?.self))
  }
}

extension RealmOptional: Encodable where Value: Encodable {
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(value)
  }
}
