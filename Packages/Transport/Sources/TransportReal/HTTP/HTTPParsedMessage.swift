import Transport

/// A complete message.
struct HTTPParsedMessage {
  var method = ""
  var target = ""
  var status = 0
  var headers: [HTTPHeaders.Field] = []
  var body: [UInt8] = []
  var keepsAlive = false
  var isUpgrade = false
  /// Whether the sender of a request understands a body in chunks: HTTP/1.1.
  var acceptsChunks = true
}

/// The reason for refusing a message.
enum HTTPParserError: Error {
  case headTooLarge
  case bodyTooLarge
  case malformed(String)
}
