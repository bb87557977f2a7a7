import Concurrency
import SyncProtocol
import Transport

/// The messages of a connection that arrived while a large one is decoded.
struct MessageInbox {
  /// Whether a message is being decoded on the executor.
  var isDecoding = false
  private(set) var waiting: [WebSocketMessage] = []

  mutating func append(_ message: WebSocketMessage) { waiting.append(message) }

  mutating func takeAll() -> [WebSocketMessage] {
    defer { waiting = [] }
    return waiting
  }
}

extension SyncConnection {
  /// Messages of more bytes than this, packed or unpacked, are decoded on the executor and charged to their user: the loop
  /// serves all connections.
  static let largeMessage = 256 << 10

  /// Passes a message to the machine, at once or when it is decoded. Keeps the order of the messages; while one is decoded,
  /// the connection is not read from.
  func take(_ message: WebSocketMessage) {
    switch message {
    case .text: handle(.receivedText)
    case .oversized(let head, let byteCount): run { $0.receive(oversized: head, byteCount: byteCount) }
    case .binary(let bytes):
      let size = MessageDecoder.statedSize(of: bytes)
      if size > Self.largeMessage { decode(bytes, size: size) } else { run { $0.receive(bytes) } }
    }
  }

  private func decode(_ bytes: [UInt8], size: Int) {
    inbox.isDecoding = true
    pauseForDecoding(true)
    // The packed message is in memory; only its unpacked form waits for memory.
    let more = min(max(0, size - bytes.count), machine.settings.limits.inflatedBytes)
    hub.receiveBudget.reserve(bytes.count)
    hub.receiveBudget.reserve(more) { [self] in
      guard inbox.isDecoding else { return giveBack(bytes.count, more) }
      decode(bytes, size: size, reserved: more)
    }
  }

  private func giveBack(_ bytes: Int, _ more: Int) {
    hub.receiveBudget.release(bytes)
    hub.receiveBudget.release(more, wasGranted: true)
  }

  private func decode(_ bytes: [UInt8], size: Int, reserved: Int) {
    let (dialect, limits) = (machine.dialect, machine.settings.limits)
    let job = JobAttributes(
      .messages(ident.rawValue), payers: [bearer.user.rawValue], bytes: min(size, limits.inflatedBytes))
    hub.context.perform(job) { () throws(ServerError) in
      ServerConnection.event(of: bytes, dialect: dialect, limits: limits)
    } then: { [self] result in
      defer { giveBack(bytes.count, reserved) }
      guard inbox.isDecoding, case .success(let event) = result else { return }
      inbox.isDecoding = false
      handle(event)
      for message in inbox.takeAll() {
        if inbox.isDecoding { inbox.append(message) } else { take(message) }
      }
      if !inbox.isDecoding { pauseForDecoding(false) }
    }
  }
}
