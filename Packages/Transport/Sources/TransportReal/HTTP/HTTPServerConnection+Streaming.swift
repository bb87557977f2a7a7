import Transport

/// Bodies in parts.
extension HTTPServerConnection {
  var takenBytes: UInt64 { stream.takenBytes }

  /// Sends the head, and lets `writer` send the body. While it does, the socket is read, so that the peer's end is noticed;
  /// what a peer sends ahead is kept as for any other answer.
  func stream(_ head: HTTPResponse, body writer: RealBodyWriter) {
    guard isAnswering, !isClosing else { return writer.end(StreamEnd.endOfStream.error) }
    timer?.cancel()
    isChunked = acceptsChunks
    if !isChunked { keepsAlive = false }
    stream.write(
      HTTPMessageWriter.head(
        head, isChunked: isChunked, keepsAlive: keepsAlive, serverName: server.options.serverName))
    body = writer
    guard !isHead else {
      finishBody()
      return writer.end(nil)
    }
    writer.write(head.body)
    if server.isShuttingDown { writer.shouldFinish() }
    if body === writer { stream.startReading() }
  }

  /// Sends a part.
  ///
  /// - Returns: the bytes that the system has not taken.
  func writeBody(_ part: [UInt8]) -> Int {
    guard !isHead else { return 0 }
    stream.write(isChunked ? HTTPMessageWriter.chunk(part) : part)
    return stream.bufferedBytes
  }

  /// Ends the body, and goes on with the next request.
  func finishBody() {
    guard body != nil else { return }
    body = nil
    guard isAnswering, !isClosing else { return }
    isAnswering = false
    if isChunked && !isHead { stream.write(HTTPMessageWriter.lastChunk) }
    endAnswer()
  }

  /// Cuts the connection of a body whose writer was released before its end.
  func abandonBody() {
    guard isAnswering, !isClosing else { return }
    cut()
  }

  func flushed() {
    body?.flushed(stream.bufferedBytes)
    readOn()
  }
}
