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
