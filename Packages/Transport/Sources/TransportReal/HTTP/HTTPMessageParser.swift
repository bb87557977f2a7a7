import CHTTPParser
import Transport

/// Reads one HTTP/1.1 message from a stream, within limits. Each message has a parser of its own.
///
/// http_parser reads whole responses, but only the heads of requests, after ``HTTPHeadScanner`` has found their end: the end
/// of a request is decided here, strictly.
final class HTTPMessageParser {
  enum Kind { case request, response(toHead: Bool) }

  var parser: UnsafeMutablePointer<http_parser>
  var message = HTTPParsedMessage()
  var name: [UInt8] = []
  var value: [UInt8] = []
  var targetBytes: [UInt8] = []
  var isInValue = false
  var headBytes = 0
  private var rawHeadBytes = 0
  var failure: HTTPParserError?
  let kind: Kind
  private var scanner = HTTPHeadScanner()
  var framing = HTTPRequestHead.Framing.length(0)
  private var chunks = HTTPChunkDecoder()
  let maximumHeadBytes: Int
  let maximumBodyBytes: Int
  /// Whether the body of a response is left in `parts`, of any length, instead of the message.
  var collectsParts = false
  /// The parts of the body since they were taken last.
  var parts: [[UInt8]] = []
  /// Whether the head is complete.
  var hasHead = false
  /// Whether the message is complete.
  var isComplete = false
  /// Whether any byte was read.
  private(set) var hasStarted = false
  /// Whether the client waits for 100 Continue.
  var expectsContinue: Bool { hasHead && !isComplete && waitsForContinue }
  var waitsForContinue = false

  /// Bytes held of the message.
  var heldBytes: Int { headBytes + message.body.count }

  init(_ kind: Kind, maximumHeadBytes: Int, maximumBodyBytes: Int) {
    self.kind = kind
    self.maximumHeadBytes = maximumHeadBytes
    self.maximumBodyBytes = maximumBodyBytes
    parser = .allocate(capacity: 1)
    if case .request = kind { http_parser_init(parser, HTTP_REQUEST) } else { http_parser_init(parser, HTTP_RESPONSE) }
    // Unmanaged: the parser in C is called by this object only, and goes with it.
    parser.pointee.data = Unmanaged.passUnretained(self).toOpaque()
  }

  deinit { parser.deallocate() }

  /// Reads from `bytes` up to the end of the message.
  ///
  /// - Returns: the number of bytes that belong to it; the message once it is complete.
  func consume(_ bytes: UnsafeRawBufferPointer) throws(HTTPParserError) -> (count: Int, message: HTTPParsedMessage?) {
    if isComplete { return (0, message) }
    if !bytes.isEmpty { hasStarted = true }
    guard case .request = kind else { return try execute(bytes) }
    guard !hasHead else {
      let count = try consumeBody(bytes)
      return (count, isComplete ? message : nil)
    }
    let size: Int
    switch scanner.scan(bytes) {
    case .partial: return try execute(bytes)
    case .broken(let reason): throw .malformed(reason)
    case .tooLarge: throw .headTooLarge
    case .complete(let count): size = count
    }
    _ = try execute(UnsafeRawBufferPointer(rebasing: bytes[..<size]))
    guard hasHead else { throw .malformed("the head has no end") }
    let count = try size + consumeBody(UnsafeRawBufferPointer(rebasing: bytes[size...]))
    return (count, isComplete ? message : nil)
  }

  /// Reads from the body of a request, which may be empty.
  private func consumeBody(_ bytes: UnsafeRawBufferPointer) throws(HTTPParserError) -> Int {
    switch framing {
    case .length(let length):
      let count = min(bytes.count, length - message.body.count)
      message.body.append(contentsOf: bytes.prefix(count))
      isComplete = message.body.count == length
      return count
    case .chunks:
      var isTooLarge = false
      let count: Int
      do throws(HTTPChunkDecoder.Fault) {
        count = try chunks.read(bytes) { part in
          isTooLarge = isTooLarge || message.body.count + part.count > maximumBodyBytes
          if !isTooLarge { message.body.append(contentsOf: part) }
        }
      } catch {
        throw .malformed(error.reason)
      }
      if isTooLarge { throw .bodyTooLarge }
      isComplete = chunks.isDone
      return count
    }
  }

  /// Passes bytes to http_parser.
  private func execute(
    _ bytes: UnsafeRawBufferPointer
  ) throws(HTTPParserError) -> (count: Int, message: HTTPParsedMessage?) {
    let hadHead = hasHead
    let count = withUnsafePointer(to: Self.settings) { settings in
      http_parser_execute(parser, settings, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count)
    }
    if let failure { throw failure }
    if !hadHead && !hasHead {
      // Bytes that reach no callback count, too: blank lines before a request, half a line.
      rawHeadBytes += count
      if rawHeadBytes > maximumHeadBytes { throw .headTooLarge }
    }
    let code = openrealm_http_errno(parser)
    if isComplete { return (count, message) }
    if hasHead, case .request = kind { return (count, nil) }
    if code == Int32(HPE_HEADER_OVERFLOW.rawValue) { throw .headTooLarge }
    guard code == 0 else { throw .malformed(String(cString: openrealm_http_reason(parser))) }
    return (count, nil)
  }

  /// Ends the stream, which completes a response without a length.
  func finish() throws(HTTPParserError) -> HTTPParsedMessage? {
    let (_, message) = try consume(UnsafeRawBufferPointer(start: nil, count: 0))
    return message
  }
}
