/// Finds the end of a request's head, and refuses forms that readers of HTTP interpret differently: bare line ends, folded
/// lines, blanks before a colon, control characters. Otherwise two readers of one stream could see different requests.
///
/// - Complexity: O(*n*) for *n* bytes of a head, however they are split.
public struct HTTPHeadScanner: Sendable {
  /// The outcome of the bytes so far.
  public enum Finding: Hashable, Sendable {
    /// The head goes on.
    case partial
    /// The head ends with the first `count` bytes of the last call.
    case complete(count: Int)
    /// The head breaks a rule, which is named.
    case broken(String)
    /// The head has too many lines.
    case tooLarge
  }

  /// The most header lines of one request.
  public static let maximumLines = 100

  private enum State: Sendable { case beforeRequest, requestLine, lineStart, name, value }

  private var state = State.beforeRequest
  private var lines = 0
  /// The last byte was a carriage return; a line feed has to follow.
  private var hasReturn = false

  /// A scanner at the start of a request.
  public init() {}

  /// Reads on; called again only after ``Finding/partial``.
  public mutating func scan(_ bytes: UnsafeRawBufferPointer) -> Finding {
    for (index, byte) in bytes.enumerated() {
      if hasReturn {
        guard byte == 10 else { return .broken("a carriage return without a line feed") }
        hasReturn = false
        switch state {
        case .beforeRequest: break
        case .lineStart: return .complete(count: index + 1)
        case .requestLine, .value: state = .lineStart
        case .name: return .broken("a header line without a colon")
        }
        continue
      }
      if byte == 13 {
        hasReturn = true
      } else if byte == 10 {
        return .broken("a line feed without a carriage return")
      } else if let finding = read(byte) {
        return finding
      }
    }
    return .partial
  }

  private mutating func read(_ byte: UInt8) -> Finding? {
    switch state {
    case .beforeRequest, .requestLine:
      guard (0x20...0x7E).contains(byte) else { return .broken("a character in the request line that is not ASCII") }
      guard state == .requestLine || byte != 0x20 else { return .broken("a blank before the request") }
      state = .requestLine
    case .lineStart:
      guard byte != 0x20, byte != 0x09 else { return .broken("a header line that begins with a blank") }
      lines += 1
      guard lines <= Self.maximumLines else { return .tooLarge }
      guard Self.isToken(byte) else { return .broken("a character in a header name that is none of a name") }
      state = .name
    case .name:
      if byte == 0x3A {
        state = .value
      } else if !Self.isToken(byte) {
        return .broken("a character in a header name that is none of a name")
      }
    case .value:
      guard byte >= 0x20 && byte != 0x7F || byte == 0x09 else { return .broken("a control character in a header") }
    }
    return nil
  }

  /// RFC 9110, section 5.6.2.
  private static func isToken(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    case 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2D, 0x2E, 0x5E...0x60, 0x7C, 0x7E: true
    default: false
    }
  }
}
