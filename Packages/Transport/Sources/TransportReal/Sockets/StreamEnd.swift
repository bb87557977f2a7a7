import Transport

/// The end of a byte stream.
enum StreamEnd {
  case endOfStream
  case failed(TransportError)

  /// The end as an error.
  var error: TransportError {
    switch self {
    case .endOfStream: TransportError(.connectionLost, "the peer closed the connection: try again", cause: "EOF")
    case .failed(let error): error
    }
  }
}
