import CHTTPParser
import Transport

/// A message from the wire, whole.
struct HTTPParsedMessage {
  var method = ""
  var target = ""
  var status = 0
  var headers: [HTTPHeaders.Field] = []
  var body: [UInt8] = []
  var keepsAlive = false
  var isUpgrade = false
}

/// Why a message was refused.
enum HTTPParserError: Error {
  case headTooLarge
  case bodyTooLarge
  case malformed(String)
}

/// One HTTP/1.1 message out of a stream, with limits. Made anew for each message.
///
/// Of requests http_parser reads the head alone, after ``HTTPHeadScanner`` found its end: where a request ends is decided
/// here, strictly. Of responses it reads everything.
final class HTTPMessageParser {
  enum Kind { case request, response(toHead: Bool) }

  private var parser: UnsafeMutablePointer<http_parser>
  private var message = HTTPParsedMessage()
  private var name: [UInt8] = []
  private var value: [UInt8] = []
  private var targetBytes: [UInt8] = []
  private var isInValue = false
  private var headBytes = 0
  private var rawHeadBytes = 0
  private var failure: HTTPParserError?
  private let kind: Kind
  private var scanner = HTTPHeadScanner()
  private var framing = HTTPRequestHead.Framing.length(0)
  private var chunks = HTTPChunkDecoder()
  private let maximumHeadBytes: Int
  private let maximumBodyBytes: Int
  /// The head is complete.
  private(set) var hasHead = false
  /// The message is complete.
  private(set) var isComplete = false
  /// Something was read.
  private(set) var hasStarted = false
  /// The client waits to be told to go on.
  var expectsContinue: Bool { hasHead && !isComplete && waitsForContinue }
  private var waitsForContinue = false

  /// Bytes held of the message.
  var heldBytes: Int { headBytes + message.body.count }

  init(_ kind: Kind, maximumHeadBytes: Int, maximumBodyBytes: Int) {
    self.kind = kind
    self.maximumHeadBytes = maximumHeadBytes
    self.maximumBodyBytes = maximumBodyBytes
    parser = .allocate(capacity: 1)
    if case .request = kind { http_parser_init(parser, HTTP_REQUEST) } else { http_parser_init(parser, HTTP_RESPONSE) }
    parser.pointee.data = Unmanaged.passUnretained(self).toOpaque()
  }

  deinit { parser.deallocate() }

  /// Reads from `bytes` up to the end of the message.
  ///
  /// - Returns: how many bytes belong to it; the message once it is complete.
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

  /// Takes the body of a request; there may be none.
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

  /// Has http_parser read.
  private func execute(
    _ bytes: UnsafeRawBufferPointer
  ) throws(HTTPParserError) -> (count: Int, message: HTTPParsedMessage?) {
    let hadHead = hasHead
    let count = withUnsafePointer(to: Self.settings) { settings in
      http_parser_execute(parser, settings, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count)
    }
    if let failure { throw failure }
    if !hadHead && !hasHead {
      // Bytes that reach no callback count as well: blank lines before a request, half a line.
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

  /// The stream ended: complete for responses that have no length.
  func finish() throws(HTTPParserError) -> HTTPParsedMessage? {
    let (_, message) = try consume(UnsafeRawBufferPointer(start: nil, count: 0))
    return message
  }

  // MARK: Callbacks

  private func add(_ bytes: UnsafeBufferPointer<UInt8>, to target: HeadPart) -> Int32 {
    headBytes += bytes.count + (target == .name ? 4 : 0)
    guard headBytes <= maximumHeadBytes else { return fail(.headTooLarge) }
    switch target {
    case .target: targetBytes.append(contentsOf: bytes)
    case .name:
      if isInValue { endField() }
      name.append(contentsOf: bytes)
    case .value:
      isInValue = true
      value.append(contentsOf: bytes)
    }
    return 0
  }

  enum HeadPart { case target, name, value }

  private func endField() {
    isInValue = false
    guard !name.isEmpty else { return }
    while let last = value.last, last == 32 || last == 9 { value.removeLast() }
    message.headers.append(
      .init(name: String(decoding: name, as: UTF8.self), value: String(decoding: value, as: UTF8.self)))
    name = []
    value = []
  }

  private func headIsComplete() -> Int32 {
    endField()
    guard parser.pointee.http_major == 1 else { return fail(.malformed("the version is not 1.0 or 1.1")) }
    hasHead = true
    message.target = String(decoding: targetBytes, as: UTF8.self)
    message.status = Int(openrealm_http_status(parser))
    if case .request = kind { message.method = String(cString: openrealm_http_method(parser)) }
    message.keepsAlive = http_should_keep_alive(parser) != 0
    message.isUpgrade = openrealm_http_is_upgrade(parser) != 0
    if case .request = kind { return requestHeadIsComplete() }
    let announced = parser.pointee.content_length
    if announced != .max && announced > UInt64(maximumBodyBytes) { return fail(.bodyTooLarge) }
    if case .response(toHead: true) = kind { return 1 }
    return 0
  }

  private func requestHeadIsComplete() -> Int32 {
    let minorVersion = Int(parser.pointee.http_minor)
    do throws(HTTPRequestHead.Fault) {
      let head = try HTTPRequestHead(
        method: message.method, target: message.target, minorVersion: minorVersion,
        headers: HTTPHeaders(message.headers))
      message.target = head.target
      message.headers = head.headers.fields
      framing = head.framing
      waitsForContinue = minorVersion >= 1 && head.headers.hasToken("100-continue", in: "Expect")
    } catch {
      return fail(.malformed(error.reason))
    }
    if case .length(let length) = framing, length > maximumBodyBytes { return fail(.bodyTooLarge) }
    // No body for http_parser: it is taken here.
    return 1
  }

  private func addBody(_ bytes: UnsafeBufferPointer<UInt8>) -> Int32 {
    guard message.body.count + bytes.count <= maximumBodyBytes else { return fail(.bodyTooLarge) }
    message.body.append(contentsOf: bytes)
    return 0
  }

  private func messageIsComplete() -> Int32 {
    if case .response = kind { isComplete = true }
    // Stops here, so that what follows is left for the next parser or the next protocol.
    http_parser_pause(parser, 1)
    return 0
  }

  private func fail(_ error: HTTPParserError) -> Int32 {
    failure = error
    return -1
  }

  private static func owner(_ parser: UnsafeMutablePointer<http_parser>?) -> HTTPMessageParser? {
    guard let data = parser?.pointee.data else { return nil }
    return Unmanaged<HTTPMessageParser>.fromOpaque(data).takeUnretainedValue()
  }

  private static func bytes(_ start: UnsafePointer<CChar>?, _ count: Int) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: UnsafeRawPointer(start)?.assumingMemoryBound(to: UInt8.self), count: count)
  }

  private static let settings: http_parser_settings = {
    var settings = http_parser_settings()
    http_parser_settings_init(&settings)
    settings.on_url = { HTTPMessageParser.owner($0)?.add(HTTPMessageParser.bytes($1, $2), to: .target) ?? -1 }
    settings.on_header_field = { HTTPMessageParser.owner($0)?.add(HTTPMessageParser.bytes($1, $2), to: .name) ?? -1 }
    settings.on_header_value = { HTTPMessageParser.owner($0)?.add(HTTPMessageParser.bytes($1, $2), to: .value) ?? -1 }
    settings.on_headers_complete = { HTTPMessageParser.owner($0)?.headIsComplete() ?? -1 }
    settings.on_body = { HTTPMessageParser.owner($0)?.addBody(HTTPMessageParser.bytes($1, $2)) ?? -1 }
    settings.on_message_complete = { HTTPMessageParser.owner($0)?.messageIsComplete() ?? -1 }
    return settings
  }()
}
