import CLibUV
import Transport

/// Errors for libuv's codes, with a remedy in each message.
enum SystemError {
  /// An error for a negative libuv code.
  static func make(_ code: Int32, doing task: String) -> TransportError {
    let name = String(cString: uv_err_name(code))
    switch code {
    case UV_EMFILE.rawValue, UV_ENFILE.rawValue:
      return TransportError(
        .system, "could not \(task): no file descriptors are left, raise the limit with ulimit -n", cause: name)
    case UV_EACCES.rawValue, UV_EPERM.rawValue:
      return TransportError(.permissionDenied, "could not \(task): the system does not permit it", cause: name)
    default:
      return TransportError(.system, "could not \(task): \(String(cString: uv_strerror(code)))", cause: name)
    }
  }

  /// The error for a failure to listen.
  static func listening(_ code: Int32, on address: ListenAddress) -> TransportError {
    let name = String(cString: uv_err_name(code))
    switch code {
    case UV_EADDRINUSE.rawValue:
      return TransportError(
        .addressInUse, "port \(address.port) is already in use: choose another with --port or stop the other process",
        cause: name)
    case UV_EADDRNOTAVAIL.rawValue:
      return TransportError(
        .addressUnavailable, "\(address.host) is not an address of this machine: listen on 127.0.0.1, 0.0.0.0 or ::",
        cause: name)
    case UV_EACCES.rawValue:
      return TransportError(
        .permissionDenied, "port \(address.port) needs privileges: choose one above 1023 or grant CAP_NET_BIND_SERVICE",
        cause: name)
    default: return make(code, doing: "listen on \(address)")
    }
  }

  /// The error for a failure to connect.
  static func connecting(_ code: Int32, to peer: String) -> TransportError {
    let name = String(cString: uv_err_name(code))
    switch code {
    case UV_ECONNREFUSED.rawValue:
      return TransportError(
        .connectionRefused, "\(peer) refuses connections: check the address and that the server runs", cause: name)
    case UV_EHOSTUNREACH.rawValue, UV_ENETUNREACH.rawValue, UV_EHOSTDOWN.rawValue:
      return TransportError(.unreachable, "there is no way to \(peer): check the network", cause: name)
    case UV_ETIMEDOUT.rawValue:
      return TransportError(.timedOut, "\(peer) does not answer: check the address and firewalls", cause: name)
    case UV_EAI_NONAME.rawValue, UV_EAI_NODATA.rawValue, UV_EAI_AGAIN.rawValue, UV_EAI_FAIL.rawValue,
      UV_EAI_ADDRFAMILY.rawValue:
      return TransportError(
        .unresolvedHost, "the host of \(peer) cannot be resolved: check its name and the name servers", cause: name)
    default: return make(code, doing: "connect to \(peer)")
    }
  }

  /// The error for the end of an open stream.
  static func streaming(_ code: Int32) -> TransportError {
    TransportError(.connectionLost, "the connection was lost: try again", cause: String(cString: uv_err_name(code)))
  }
}
