/// The receiving half of RFC 6455 as a value: bytes in, events out.
///
///     var decoder = WebSocketDecoder(role: .client, maximumMessageBytes: 1 << 20)
///     decoder.append([0x82, 0x02, 0x68])
///     try decoder.next()                 // nil: half a message
///     decoder.append([0x69])
///     try decoder.next()                 // .message(.binary("hi"))
///
/// - Guarantee: the events do not depend on the division of the stream into parts. Of a message announced as too large only
///   the first ``oversizedHeadBytes`` are kept; the others are skipped. After a violation or a close frame there are no
///   further events.
/// - Complexity: O(*n*) for a stream of *n* bytes, whatever its parts and frames: see ``copiedBytes``.
public struct WebSocketDecoder: Sendable {
  /// The bytes reported of a message that is too large.
  public static let oversizedHeadBytes = 1 << 10
  /// The largest announced size of a message that is skipped; a larger one is a violation (1008).
  public static let maximumSkippedBytes = 4 << 30
  /// The largest text message: its check as UTF-8 is done at once. Realm sync has none, GraphQL requests are far smaller.
  public static let maximumTextBytes = 16 << 20
  /// The fragments allowed in every message; beyond them one more for each ``bytesPerFragment``.
  static let freeFragments = 1_024
  static let bytesPerFragment = 32
  /// The most frames read after ``discardMessages()``.
  static let maximumDiscardedFrames = 10_000

  private enum Stage: Sendable { case header, payload, finished }

  private let role: WebSocketRole
  private let limit: Int
  private var stage = Stage.header
  /// Input, unread from `cursor` on.
  private var input: [UInt8] = []
  var cursor = 0
  /// Offset in the stream of `input[0]`.
  var base: UInt64 = 0
  private var inputCopies: UInt64 = 0
  /// The frame under way, and the bytes of its payload so far.
  var frame = WebSocketFrameHeader(isFinal: true, opcode: .binary, mask: nil, length: 0)
  private var received = 0
  var control: [UInt8] = []
  var payload = WebSocketMessageBuffer()
  /// The message under way; nil between messages.
  var message: Message?
  var discards = false
  private var discardedFrames = 0

  struct Message: Sendable {
    enum Keeping: Sendable { case all, head, nothing }
    var opcode: WebSocketFrameHeader.Opcode
    var keeping = Keeping.all
    var announced = 0
    var fragments = 0
  }

  /// A decoder for one connection.
  ///
  /// - Parameters:
  ///   - role: this end; a server refuses unmasked frames, a client masked ones.
  ///   - maximumMessageBytes: the largest message that is kept; at most 2 GiB - 1 counts.
  public init(role: WebSocketRole, maximumMessageBytes: Int) {
    self.role = role
    limit = min(max(0, maximumMessageBytes), Int(Int32.max))
  }

  /// Whether the stream ended well: a close frame was read.
  public var isFinished: Bool { stage == .finished }

  /// Bytes held at the moment.
  public var bufferedBytes: Int { input.count - cursor + control.count + payload.count }

  /// All bytes copied so far, the measure of the work for a stream: at most five times its length.
  public var copiedBytes: UInt64 { inputCopies + payload.copiedBytes }

  /// Adds what arrived. Ignored after the end.
  public mutating func append(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { append($0) }
  }

  /// Adds what arrived. Ignored after the end.
  public mutating func append(_ bytes: UnsafeRawBufferPointer) {
    if stage == .finished { return }
    let waiting = input.count - cursor
    if cursor > 0, cursor >= waiting {
      // No more bytes move than were read since the last move, which keeps the work linear.
      base += UInt64(cursor)
      if waiting == 0, input.capacity > 1 << 17 { input = [] } else { input.removeSubrange(..<cursor) }
      inputCopies += UInt64(waiting)
      cursor = 0
    }
    input.append(contentsOf: bytes)
    inputCopies += UInt64(bytes.count)
  }

  /// Skips all further messages, pings and pongs, so that only a close frame is reported: for an end that is closing.
  public mutating func discardMessages() {
    guard stage != .finished else { return }
    discards = true
    _ = payload.take()
    message?.keeping = .nothing
  }

  /// The next event, or nil when more bytes are needed.
  ///
  /// - Throws: ``WebSocketViolation``; from then on nil is returned.
  public mutating func next() throws(WebSocketViolation) -> WebSocketEvent? {
    while true {
      switch stage {
      case .finished: return nil
      case .header: guard try readHeader() else { return nil }
      case .payload:
        takePayload()
        let isComplete = received == frame.length
        if isComplete { stage = .header }
        if let event = oversizedHead() { return event }
        guard isComplete else { return nil }
        if let event = try finishFrame() { return event }
      }
    }
  }

  // MARK: Header

  private mutating func readHeader() throws(WebSocketViolation) -> Bool {
    let start = base + UInt64(cursor)
    let read = input.withUnsafeBytes {
      WebSocketFrameHeader.read(UnsafeRawBufferPointer(rebasing: $0[cursor...]), role: role)
    }
    let found: (header: WebSocketFrameHeader, size: Int)
    switch read {
    case .broken(let reason): throw violation(reason, at: start)
    case .partial: return false
    case .complete(let header, let size): found = (header, size)
    }
    if discards {
      discardedFrames += 1
      guard discardedFrames <= Self.maximumDiscardedFrames else {
        end()
        return true
      }
    }
    if found.header.opcode.isControl { control.removeAll() } else { try begin(found.header, at: start) }
    cursor += found.size
    frame = found.header
    received = 0
    stage = .payload
    return true
  }

  /// Checks a frame of a message by its header, before anything is allocated for it.
  private mutating func begin(_ header: WebSocketFrameHeader, at start: UInt64) throws(WebSocketViolation) {
    var current: Message
    if header.opcode == .continuation {
      guard let message else { throw violation("a continuation without a beginning", at: start) }
      current = message
    } else {
      guard message == nil else { throw violation("a new message inside a fragmented one", at: start) }
      current = Message(opcode: header.opcode, keeping: discards ? .nothing : .all)
    }
    guard header.length <= Self.maximumSkippedBytes - current.announced else {
      throw violation("a message is larger than 4 GiB", at: start, code: .policyViolation)
    }
    current.announced += header.length
    current.fragments += 1
    guard current.fragments <= Self.freeFragments + current.announced / Self.bytesPerFragment else {
      throw violation("a message comes in too many small fragments", at: start, code: .policyViolation)
    }
    let accepted = current.opcode == .text ? min(limit, Self.maximumTextBytes) : limit
    if current.keeping == .all, current.announced > accepted {
      current.keeping = .head
      payload.truncate(to: Self.oversizedHeadBytes)
    }
    message = current
  }

  // MARK: Payload

  /// Reads the available bytes of the frame's payload.
  private mutating func takePayload() {
    let count = min(frame.length - received, input.count - cursor)
    let kept: Int
    if frame.opcode.isControl {
      kept = discards && frame.opcode != .close ? 0 : count
    } else {
      kept =
        switch message?.keeping {
        case .all: count
        case .head: min(count, Self.oversizedHeadBytes - payload.count)
        case .nothing, nil: 0
        }
    }
    if kept > 0 {
      let announced = message?.announced ?? 0
      let (start, mask, position) = (cursor, frame.mask, received)
      // Inline, because a method would hold the whole value and so copy `control` or `payload` with every part.
      if frame.opcode.isControl {
        let from = control.count
        control.append(contentsOf: input[start..<(start + kept)])
        mask?.apply(to: &control, in: from..<control.count, position: position)
      } else {
        input.withUnsafeBytes { bytes in
          payload.append(
            UnsafeRawBufferPointer(rebasing: bytes[start..<(start + kept)]), mask: mask, position: position,
            announced: announced)
        }
      }
    }
    cursor += count
    received += count
  }

  /// The head of a message that is too large, once, as soon as it is complete.
  private mutating func oversizedHead() -> WebSocketEvent? {
    guard let current = message, current.keeping == .head, !frame.opcode.isControl else { return nil }
    let isWhole = stage == .header && frame.isFinal
    guard payload.count == Self.oversizedHeadBytes || isWhole else { return nil }
    message?.keeping = .nothing
    if isWhole { message = nil }
    return .message(.oversized(head: payload.take(), byteCount: current.announced))
  }

  mutating func end() {
    stage = .finished
    input = []
    cursor = 0
    control = []
    _ = payload.take()
    message = nil
  }

  mutating func violation(
    _ reason: String, at offset: UInt64, code: WebSocketCloseCode = .protocolError
  ) -> WebSocketViolation {
    end()
    return WebSocketViolation(code: code, reason: reason, offset: offset)
  }
}
