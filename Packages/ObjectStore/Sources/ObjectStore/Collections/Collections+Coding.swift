extension List: Decodable where Element: Decodable {
  /// Decodes an array of elements.
  ///
  /// - Throws: the error of the decoder.
  public convenience init(from decoder: any Decoder) throws { self.init(try [Element](from: decoder)) }
}

extension List: Encodable where Element: Encodable {
  /// Encodes the elements as an array.
  ///
  /// - Throws: the error of the encoder.
  public func encode(to encoder: any Encoder) throws { try Array(self).encode(to: encoder) }
}

extension MutableSet: Decodable where Element: Decodable {
  /// Decodes an array of elements.
  ///
  /// - Throws: the error of the decoder.
  public convenience init(from decoder: any Decoder) throws { self.init(try [Element](from: decoder)) }
}

extension MutableSet: Encodable where Element: Encodable {
  /// Encodes the elements as an array, in unspecified order.
  ///
  /// - Throws: the error of the encoder.
  public func encode(to encoder: any Encoder) throws { try Array(self).encode(to: encoder) }
}

extension Map: Decodable where Value: Decodable {
  /// Decodes a keyed container.
  ///
  /// - Throws: the error of the decoder.
  public convenience init(from decoder: any Decoder) throws { self.init(try [String: Value](from: decoder)) }
}

extension Map: Encodable where Value: Encodable {
  /// Encodes the entries as a keyed container.
  ///
  /// - Throws: the error of the encoder.
  public func encode(to encoder: any Encoder) throws { try _copy().unmanaged.encode(to: encoder) }
}

extension Results: Encodable where Element: Encodable {
  /// Encodes the elements as an array.
  ///
  /// - Throws: the error of the encoder.
  public func encode(to encoder: any Encoder) throws { try Array(self).encode(to: encoder) }
}
