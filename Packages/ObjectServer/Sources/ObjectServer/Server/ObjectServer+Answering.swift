import Synchronization
public import Transport

extension ObjectServer {
  /// Answers one request as if it had come over the network, whether or not the server listens: for tools that work on the data
  /// directory of a stopped server.
  ///
  ///     let response = await server.answer(HTTPRequest(method: "GET", target: "/health"))     // 200
  ///
  /// Answers that are streams are refused with 501.
  public func answer(_ request: HTTPRequest) async -> HTTPResponse {
    await withCheckedContinuation { continuation in
      let responder = ContinuationResponder { continuation.resume(returning: $0) }
      environment.network.scheduler.execute { [self] in respond(to: request, with: responder) }
    }
  }
}

/// Gives an answer to a closure, once; 500 when there is none.
private final class ContinuationResponder: HTTPResponder {
  private let completion: Mutex<(@Sendable (HTTPResponse) -> Void)?>

  init(_ completion: @escaping @Sendable (HTTPResponse) -> Void) { self.completion = Mutex(completion) }

  deinit { finish(JSONAnswer.refusal(.storage)) }

  func respond(_ response: HTTPResponse) { finish(response) }

  func stream(
    _ head: HTTPResponse, options: HTTPStreamOptions, handler: any HTTPBodyHandler
  ) -> any HTTPBodyWriter {
    finish(JSONAnswer.refusal(.notServed("this needs a running server")))
    return EndedBodyWriter()
  }

  private func finish(_ response: HTTPResponse) {
    let completion = completion.withLock { completion in
      defer { completion = nil }
      return completion
    }
    completion?(response)
  }
}

/// A body that nobody receives.
private final class EndedBodyWriter: HTTPBodyWriter {
  var bufferedBytes: Int { 0 }
  func write(_ part: [UInt8]) {}
  func finish() {}
  func abort() {}
}
