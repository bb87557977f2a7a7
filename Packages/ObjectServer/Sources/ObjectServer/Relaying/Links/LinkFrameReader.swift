import ByteCoding
import Transport

/// The breach of a link's format or rules by the other node. It ends the link.
package struct LinkViolation: Error, Hashable, Sendable {
  /// The rule that was broken, for the log and the close frame.
  package var reason: String

  init(_ reason: String) { self.reason = reason }
}

/// Reads the frames of one WebSocket message of a link. Never traps, whatever the bytes.
package struct LinkFrameReader {
  private var reader: ByteReader

  /// A reader of one message.
  package init(_ bytes: [UInt8]) { reader = ByteReader(bytes) }

  /// The next frame with its stream; nil at the end.
  ///
  /// - Throws: ``LinkViolation``
  /// - Complexity: O(bytes of the frame); the bytes of messages are not copied.
  package mutating func next() throws(LinkViolation) -> (stream: UInt64, frame: LinkFrame)? {
    guard !reader.isAtEnd else { return nil }
    do {
      let stream = try reader.readVarint(UInt64.self)
      let kind = try reader.readByte()
      let count = try reader.readLength(limit: LinkFrame.maximumBytes)
      var content = ByteReader(try reader.readSlice(count))
      guard let kind = LinkFrame.Kind(rawValue: kind) else { throw LinkViolation("an unknown kind of frame") }
      return (stream, try Self.frame(kind, &content))
    } catch let violation as LinkViolation {
      throw violation
    } catch {
      throw LinkViolation("a frame cannot be read: \(error)")
    }
  }

  private static func frame(_ kind: LinkFrame.Kind, _ content: inout ByteReader) throws -> LinkFrame {
    switch kind {
    case .open: return .open(try StreamOpening(reading: &content))
    case .accepted:
      guard !content.isAtEnd else { return .accepted(protocolToken: nil) }
      return .accepted(protocolToken: try content.readUTF8(content.remaining))
    case .refused: return .refused(try refusal(&content))
    case .binary: return try message(isText: false, &content)
    case .text: return try message(isText: true, &content)
    case .more:
      guard !content.isAtEnd else { throw LinkViolation("an empty part of a message") }
      return .more(try content.readSlice(content.remaining))
    case .credit:
      let weight = try content.readVarint(Int.self)
      guard weight > 0 else { throw LinkViolation("no credit") }
      return .credit(try atEnd(content, weight))
    case .close:
      let code = WebSocketCloseCode(rawValue: try content.readLittleEndian())
      guard content.remaining <= WebSocketCloseCode.maximumReasonBytes else { throw LinkViolation("a long reason") }
      return .close(code, reason: try content.readUTF8(content.remaining))
    case .abort: return try atEnd(content, .abort)
    case .ping: return try atEnd(content, .ping)
    case .pong: return try atEnd(content, .pong)
    }
  }

  private static func message(isText: Bool, _ content: inout ByteReader) throws -> LinkFrame {
    let total = try content.readVarint(Int.self)
    guard total >= content.remaining, total <= LinkFrame.maximumMessageBytes, total == 0 || !content.isAtEnd else {
      throw LinkViolation("a message of \(total) bytes that begins with \(content.remaining)")
    }
    return .message(isText: isText, total: total, try content.readSlice(content.remaining))
  }

  private static func refusal(_ content: inout ByteReader) throws -> HTTPResponse {
    let status = try content.readVarint(Int.self)
    guard (200...599).contains(status) else { throw LinkViolation("a refusal with the status \(status)") }
    let headers = try HTTPHeaders(reading: &content)
    return HTTPResponse(status: status, headers: headers, body: try content.readBytes(content.remaining))
  }

  private static func atEnd<Value>(_ content: ByteReader, _ value: Value) throws -> Value {
    guard content.isAtEnd else { throw LinkViolation("bytes behind the content of a frame") }
    return value
  }
}
