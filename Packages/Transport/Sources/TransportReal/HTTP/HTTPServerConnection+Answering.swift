import Transport

/// Answers, and upgrades to WebSocket.
extension HTTPServerConnection {
  func begin(_ exchange: HTTPExchange) {
    isAnswering = true
    self.exchange = exchange
    account?.pause()
  }

  func answer(_ response: HTTPResponse) {
    guard isAnswering, !isClosing else { return }
    isAnswering = false
    send(response)
  }

  func send(_ response: HTTPResponse) {
    timer?.cancel()
    guard !isClosing else { return }
    stream.write(
      HTTPMessageWriter.response(
        response, keepsAlive: keepsAlive, omitsBody: isHead, serverName: server.options.serverName))
    endAnswer()
  }

  /// Closes the connection behind an answer, or reads the next request.
  func endAnswer() {
    guard keepsAlive else {
      isClosing = true
      account?.close()
      parser = Self.makeParser(server.options)
      rest = []
      cursor = 0
      stream.onClosed = { self.server.remove(self) }
      stream.finish()
      return
    }
    parser = Self.makeParser(server.options)
    noteHeld()
    isBodyTimed = false
    isContinueSent = false
    startTimer(server.options.idleTimeout, answering: false)
    readOn()
  }

  func accept(
    key: String, protocolToken: String?, headers: HTTPHeaders, options: WebSocketOptions,
    handler: any WebSocketHandler
  ) {
    let socket = RealWebSocket(loop: server.loop, role: .server, options: options, handler: handler)
    guard isAnswering, !isClosing else { return socket.fail(StreamEnd.endOfStream.error) }
    isAnswering = false
    isClosing = true
    var answer = HTTPResponse(
      status: 101, headers: WebSocketHandshake.responseHeaders(key: key, protocolToken: protocolToken, extra: headers))
    if let name = server.options.serverName { answer.headers["Server"] = answer.headers["Server"] ?? name }
    stream.write(HTTPMessageWriter.response(answer, keepsAlive: true))
    let server = server
    account?.close()
    server.add(socket)
    socket.onEnd = { [weak socket] in if let socket { server.remove(socket) } }
    server.remove(self)
    socket.adopt(stream, leftover: Array(rest[cursor...]), protocolToken: protocolToken, countingWith: server.budget)
    rest = []
    cursor = 0
  }
}
