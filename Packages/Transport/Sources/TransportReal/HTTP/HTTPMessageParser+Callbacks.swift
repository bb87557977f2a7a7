import CHTTPParser
import Transport

/// The callbacks of http_parser.
extension HTTPMessageParser {
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
    if !collectsParts && announced != .max && announced > UInt64(maximumBodyBytes) { return fail(.bodyTooLarge) }
    if case .response(toHead: true) = kind { return 1 }
    return 0
  }

  private func requestHeadIsComplete() -> Int32 {
    let minorVersion = Int(parser.pointee.http_minor)
    message.acceptsChunks = minorVersion >= 1
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
    // 1: http_parser expects no body; `consumeBody` reads it.
    return 1
  }

  private func addBody(_ bytes: UnsafeBufferPointer<UInt8>) -> Int32 {
    guard !collectsParts else {
      parts.append(Array(bytes))
      return 0
    }
    guard message.body.count + bytes.count <= maximumBodyBytes else { return fail(.bodyTooLarge) }
    message.body.append(contentsOf: bytes)
    return 0
  }

  private func messageIsComplete() -> Int32 {
    if case .response = kind { isComplete = true }
    // Bytes behind the message are left for the next parser or the next protocol.
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

  static let settings: http_parser_settings = {
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
