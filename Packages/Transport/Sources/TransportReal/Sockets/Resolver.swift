import CLibUV
import Glibc
import Transport

/// Resolves names to addresses, on libuv's thread pool.
enum Resolver {
  /// Calls `completion` on the loop with at least one address, or with libuv's code.
  static func resolve(
    _ host: String, port: Int, on loop: EventLoop,
    completion: @escaping (Result<[SocketAddress], ResolverError>) -> Void
  ) {
    if let literal = SocketAddress(literal: host, port: port) {
      return loop.execute(LoopClosure { completion(.success([literal])) }.callAsFunction)
    }
    let request = UnsafeMutablePointer<uv_getaddrinfo_t>.allocate(capacity: 1)
    // Retained until the request calls back, once, or is refused.
    request.pointee.data = Unmanaged.passRetained(Box(port: port, completion)).toOpaque()
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    hints.ai_flags = AI_ADDRCONFIG
    let code = uv_getaddrinfo(
      loop.uvLoop, request,
      { request, code, list in
        guard let request, let data = request.pointee.data else { return }
        let box = Unmanaged<Box>.fromOpaque(data).takeRetainedValue()
        request.deallocate()
        var addresses: [SocketAddress] = []
        var entry = list
        while let current = entry {
          if let address = current.pointee.ai_addr, let copy = SocketAddress(address) { addresses.append(copy) }
          entry = current.pointee.ai_next
        }
        uv_freeaddrinfo(list)
        if code != 0 { return box.completion(.failure(ResolverError(code: code))) }
        box.completion(addresses.isEmpty ? .failure(ResolverError(code: UV_EAI_NODATA.rawValue)) : .success(addresses))
      }, host, String(port), &hints)
    guard code != 0 else { return }
    Unmanaged<Box>.fromOpaque(request.pointee.data).release()
    request.deallocate()
    loop.execute(LoopClosure { completion(.failure(ResolverError(code: code))) }.callAsFunction)
  }

  private final class Box {
    let port: Int
    let completion: (Result<[SocketAddress], ResolverError>) -> Void

    init(port: Int, _ completion: @escaping (Result<[SocketAddress], ResolverError>) -> Void) {
      self.port = port
      self.completion = completion
    }
  }
}

/// libuv's code for a name that has no address.
struct ResolverError: Error {
  var code: Int32
}

// @unchecked Sendable: made on the loop's thread and called there.
/// A closure without `@Sendable` that the loop's thread hands to itself.
struct LoopClosure: @unchecked Sendable {
  private let body: () -> Void
  init(_ body: @escaping () -> Void) { self.body = body }
  @Sendable func callAsFunction() { body() }
}
