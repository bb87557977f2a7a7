import ByteCoding
import Telemetry
import Transport

/// The state of one stream of a ``PeerLink``. Changed in place: its buffers are never copied.
struct LinkedStream: Sendable {
  enum Stage: Hashable, Sendable {
    /// The accepting node decides.
    case opening
    case open
    /// This side ended it; the other has not answered.
    case closing(WebSocketCloseCode, reason: String)
  }

  /// A thing for the reader.
  enum Delivery {
    case message(WebSocketMessage)
    /// The end by the other side.
    case end(WebSocketCloseCode, reason: String)
  }

  var stage = Stage.opening
  /// Whether the other node may send messages: it accepted the stream, or opened it.
  var isAnswered: Bool
  /// The encoded frame that opens or accepts the stream, until it is sent.
  var head: [UInt8] = []
  var outbox: StreamOutbox
  private(set) var inbox: StreamInbox
  var writeBudget = 0
  private var lowWaterMark = 0
  private var isAboveLowWater = false
  var isCloseSent = false
  /// The end by the other side, which its messages go before.
  private(set) var peerClosure: (code: WebSocketCloseCode, reason: String)?
  var isPaused = false
  /// Whether there is no memory for more of its messages.
  var isWithheld = false
  /// Whether it waits for its turn to send.
  private var isReady = false
  /// Whether it waits for its turn to be read from.
  private var isDeliverable = false
  private var wasArriving = false
  /// The end of the time for the other node to answer.
  var deadline: MonotonicInstant?

  /// A stream that this side opens.
  init(window: Int, opening head: [UInt8], _ options: WebSocketOptions, deadline: MonotonicInstant) {
    isAnswered = false
    self.head = head
    self.deadline = deadline
    outbox = StreamOutbox(credit: window)
    inbox = StreamInbox(window: window)
    set(options)
  }

  /// A stream that the other node opens, whose limits are not known yet.
  init(window: Int) {
    isAnswered = true
    outbox = StreamOutbox(credit: window)
    inbox = StreamInbox(window: window)
  }

  private mutating func set(_ options: WebSocketOptions) {
    inbox.setLimit(options.maximumMessageBytes)
    writeBudget = options.writeBudget
    lowWaterMark = options.writeLowWaterMark
  }

  mutating func accept(_ head: [UInt8], _ options: WebSocketOptions) {
    stage = .open
    self.head = head
    set(options)
  }

  private var isClosing: Bool {
    switch stage {
    case .closing: true
    case .opening, .open: false
    }
  }

  // MARK: Reading

  /// Whether its reader takes messages now.
  private var isRead: Bool { stage == .open && !isPaused }

  /// Takes a frame of a message.
  ///
  /// - Returns: the bytes of the message that is arriving; nil when none is, and none was.
  /// - Throws: ``LinkViolation``
  mutating func take(_ frame: LinkFrame) throws(LinkViolation) -> Int? {
    guard isAnswered else { throw LinkViolation("a message before the acceptance") }
    guard peerClosure == nil else { throw LinkViolation("a message behind the end of its stream") }
    try inbox.take(frame)
    if isClosing { inbox.discard() }
    let arriving = inbox.arrivingBytes
    defer { wasArriving = arriving > 0 }
    return arriving > 0 || wasArriving ? arriving : nil
  }

  /// Notes the end by the other side.
  ///
  /// - Throws: ``LinkViolation``
  mutating func noteClosure(_ code: WebSocketCloseCode, _ reason: String) throws(LinkViolation) {
    guard isAnswered, peerClosure == nil else { throw LinkViolation("an end of a stream that is not open") }
    peerClosure = (code, reason)
  }

  /// Asks for a turn of the reader.
  ///
  /// - Returns: whether it is granted: there is something to read, and no turn was asked for before.
  mutating func claimDelivery() -> Bool {
    guard !isDeliverable, isRead, !inbox.isEmpty || peerClosure != nil else { return false }
    isDeliverable = true
    return true
  }

  /// The next thing for the reader, in its turn.
  mutating func nextDelivery() -> Delivery? {
    isDeliverable = false
    guard isRead else { return nil }
    if let message = inbox.popFirst() { return .message(message) }
    return peerClosure.map { .end($0.code, reason: $0.reason) }
  }

  /// Begins the end by this side: received messages are dropped.
  mutating func close(_ code: WebSocketCloseCode, _ reason: String, deadline: MonotonicInstant) {
    stage = .closing(code, reason: reason)
    self.deadline = deadline
    inbox.discard()
  }

  // MARK: Writing

  mutating func append(isText: Bool, _ bytes: [UInt8]) {
    outbox.append(isText: isText, bytes)
    if outbox.byteCount > lowWaterMark { isAboveLowWater = true }
  }

  /// Whether what waited has been sent; true once.
  mutating func takeDrained() -> Bool {
    guard isAboveLowWater, outbox.byteCount <= lowWaterMark else { return false }
    isAboveLowWater = false
    return true
  }

  /// Asks for a turn to write.
  ///
  /// - Returns: whether it is granted: there is something to send, and no turn was asked for before.
  mutating func claimTurn(_ limits: PeerLink.Limits) -> Bool {
    guard !isReady, hasFrames(limits) else { return false }
    isReady = true
    return true
  }

  private func hasFrames(_ limits: PeerLink.Limits) -> Bool {
    !head.isEmpty || mayClose || owesCredit(of: limits.window) || outbox.maySend(partBytes: limits.partBytes)
  }

  /// Whether the other node is to get credit: half of a window was read.
  private func owesCredit(of window: Int) -> Bool {
    guard inbox.held >= window / 2, !isWithheld else { return false }
    return isClosing || isRead && inbox.isEmpty
  }

  /// Whether the end by this side may be sent: nothing goes before it.
  private var mayClose: Bool { isClosing && !isCloseSent && outbox.isEmpty }

  /// Writes what concerns the stream, and a part of one message.
  mutating func writeTurn(_ number: UInt64, _ limits: PeerLink.Limits, to writer: inout ByteWriter) {
    isReady = false
    writer.writeBytes(head)
    head = []
    if owesCredit(of: limits.window) { LinkFrame.credit(inbox.giveBack()).write(stream: number, to: &writer) }
    outbox.nextFrame(partBytes: limits.partBytes)?.write(stream: number, to: &writer)
    guard mayClose, case .closing(let code, let reason) = stage else { return }
    LinkFrame.close(code, reason: reason).write(stream: number, to: &writer)
    isCloseSent = true
  }
}
