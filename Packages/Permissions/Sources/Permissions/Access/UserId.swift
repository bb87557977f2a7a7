/// The name of a user of a server, for ever. The server draws it at the first login; stock clients use it as a folder
/// name.
///
///     UserId("65a1b2c3d4e5f60718293a4b")
public struct UserId: RawRepresentable, Hashable, Comparable, Codable, Sendable, CustomStringConvertible {
  /// The text as the server gave it.
  public var rawValue: String

  /// A user's id from its text. Any text can be held; only ids for which ``isPathSegment`` is true can own realms.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// A user's id from its text.
  public init(_ text: String) { rawValue = text }

  /// Whether the id can stand in a path, as in `/<user>/notes`.
  public var isPathSegment: Bool { RealmPath.flaw(ofSegment: rawValue) == nil }

  /// Compares the texts.
  public static func < (left: UserId, right: UserId) -> Bool { left.rawValue < right.rawValue }
  /// The text.
  public var description: String { rawValue }

  /// Decodes a string.
  ///
  /// - Throws: `DecodingError` for everything else.
  public init(from decoder: any Decoder) throws {
    rawValue = try decoder.singleValueContainer().decode(String.self)
  }

  /// Encodes the text as a string.
  ///
  /// - Throws: the error of the encoder.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(rawValue)
  }
}

extension UserId: ExpressibleByStringLiteral {
  /// A user's id from its text.
  public init(stringLiteral value: String) { rawValue = value }
}
