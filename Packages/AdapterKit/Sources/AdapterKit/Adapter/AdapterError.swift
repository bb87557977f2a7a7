/// A fault in the use of an adapter.
public struct AdapterError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of a fault.
  public enum Code: String, Sendable {
    /// A step cannot be written.
    case badInstruction
    /// The realm refuses what was written.
    case refused
    /// A text is no instruction.
    case badText
  }

  /// The kind.
  public var code: Code
  /// The fault in one sentence.
  public var message: String
  /// The way out.
  public var remedy: String

  /// A fault.
  public init(_ code: Code, _ message: String, remedy: String) {
    self.code = code
    self.message = message
    self.remedy = remedy
  }

  /// Message and remedy.
  public var description: String { "\(message); \(remedy)" }
}
