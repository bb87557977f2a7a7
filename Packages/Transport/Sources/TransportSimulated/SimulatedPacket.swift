import Transport

/// The unit of transfer on a simulated connection.
enum SimulatedPacket: Sendable {
  case open(port: Int, isSecure: Bool)
  case opened
  case refused(TransportError)
  case request(HTTPRequest)
  case response(HTTPResponse)
  /// The head of a response whose body follows in parts, up to `end`.
  case head(HTTPResponse)
  case part([UInt8])
  case end
  case message(WebSocketMessage)
  case ping([UInt8])
  case pong([UInt8])
  case close(WebSocketCloseCode, reason: String)
  case reset

  var byteCount: Int {
    switch self {
    case .open, .opened, .refused, .reset, .end: 40
    case .head: 200
    case .part(let bytes): 6 + bytes.count
    case .request(let request): 200 + request.body.count
    case .response(let response): 200 + response.body.count
    case .message(let message): 4 + message.bytes.count
    case .ping(let bytes), .pong(let bytes): 2 + bytes.count
    case .close(_, let reason): 4 + reason.utf8.count
    }
  }

  var label: String {
    switch self {
    case .open(let port, _): "open \(port)"
    case .opened: "opened"
    case .refused(let error): "refused \(error.code)"
    case .request(let request): "request \(request.method) \(request.target)"
    case .response(let response): "response \(response.status)"
    case .head(let response): "head \(response.status)"
    case .part(let bytes): "part \(bytes.count)"
    case .end: "end"
    case .message(.binary(let bytes)): "binary \(bytes.count)"
    case .message(.text(let bytes)): "text \(bytes.count)"
    case .message(.oversized(_, let byteCount)): "oversized \(byteCount)"
    case .ping: "ping"
    case .pong: "pong"
    case .close(let code, _): "close \(code)"
    case .reset: "reset"
    }
  }
}

/// One end of a simulated connection. Called on the loop.
protocol SimulatedEnd: AnyObject, Sendable {
  func receive(_ packet: SimulatedPacket)
  func lose(_ error: TransportError)
  /// Called when its process dies: no handler is called afterwards.
  func abandon()
  /// Called when bytes that it sent arrived.
  func wasAcknowledged(inFlight: Int)
}

extension SimulatedEnd {
  func wasAcknowledged(inFlight: Int) {}
}
