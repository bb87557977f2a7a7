extension ObjectId: Codable {
  /// The identifier of twelve zero bytes.
  public init() { self = .zero }

  /// The identifier that 24 hexadecimal digits in the source text stand for; anything else stops the program.
  public init(_ str: StaticString) {
    guard let value = try? ObjectId(string: "\(str)") else {
      preconditionFailure("an ObjectId has 24 hexadecimal digits, not \"\(str)\"")
    }
    self = value
  }

  /// Decodes 24 hexadecimal digits.
  ///
  /// - Throws: `DecodingError` for everything else.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let value = try? ObjectId(string: text) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "'\(text)' is no ObjectId.")
    }
    self = value
  }

  /// Encodes 24 hexadecimal digits.
  ///
  /// - Throws: the error of the encoder.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(stringValue)
  }
}
