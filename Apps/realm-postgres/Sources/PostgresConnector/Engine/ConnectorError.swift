/// A fault that ends the connector.
public struct ConnectorError: Error, Sendable, CustomStringConvertible {
  /// The fault in one sentence, and the remedy.
  public let description: String

  init(_ message: String, remedy: String) { description = "\(message); \(remedy)" }
}
