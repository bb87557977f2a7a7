/// The secrets of a directory at work: seals rows, and encrypts the tokens of offers.
///
/// Not `Sendable`: it belongs to a connection.
public final class DirectorySealer {
  let seal: DirectorySeal
  let tokens: OfferTokens

  /// - Throws: `CryptographyError` when OpenSSL cannot be used.
  public init(_ key: DirectoryKey) throws {
    seal = try DirectorySeal(key: key.bytes)
    tokens = try OfferTokens(key: key.bytes)
  }
}
