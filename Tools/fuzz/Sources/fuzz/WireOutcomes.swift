import Transport

/// The events that a WebSocket decoder makes of a stream in pieces, as text; fails when the work exceeds its bound.
func webSocketOutcome(_ bytes: [UInt8], _ role: WebSocketRole, _ limit: Int, piece: Int) -> [String] {
  var decoder = WebSocketDecoder(role: role, maximumMessageBytes: limit)
  var outcome: [String] = []
  for start in stride(from: 0, to: bytes.count, by: piece) {
    decoder.append(Array(bytes[start..<min(start + piece, bytes.count)]))
    do {
      while let event = try decoder.next() { outcome.append("\(event)") }
    } catch {
      outcome.append("\(error)")
      break
    }
  }
  precondition(decoder.copiedBytes <= 5 * UInt64(bytes.count), "a byte is copied more than five times")
  return outcome
}

/// The events that the readers of request heads and chunks make of bytes in pieces, as text.
func httpOutcome(_ bytes: [UInt8], piece: Int) -> [String] {
  var (scanner, finding, end) = (HTTPHeadScanner(), HTTPHeadScanner.Finding.partial, 0)
  var (decoder, content, broken) = (HTTPChunkDecoder(), [UInt8](), "")
  for start in stride(from: 0, to: bytes.count, by: piece) {
    let part = Array(bytes[start..<min(start + piece, bytes.count)])
    if finding == .partial {
      finding = part.withUnsafeBytes { scanner.scan($0) }
      if case .complete(let count) = finding { end = start + count }
    }
    guard broken.isEmpty, !decoder.isDone else { continue }
    do {
      _ = try part.withUnsafeBytes { try decoder.read($0) { content += $0 } }
    } catch {
      broken = "\(error)"
    }
  }
  if case .complete = finding { return ["head ends at \(end)", "\(content)", broken] }
  return ["\(finding)", "\(content)", broken]
}
