/// Reads a stream of server-sent events as a value: bytes in, events out. The division into parts does not matter.
///
///     var parser = ServerSentEventParser()
///     parser.append(Array("data: a\n".utf8))     // []
///     parser.append(Array("\n".utf8))            // [ServerSentEvent(data: "a")]
///
/// - Complexity: O(*n*) for *n* bytes.
public struct ServerSentEventParser: Sendable {
  /// The most bytes kept of one event; the rest of a longer one is dropped.
  public static let maximumEventBytes = 16 << 20

  private var line: [UInt8] = []
  private var held = 0
  private var event: String?
  private var id: String?
  private var data: [String] = []
  private var endedWithReturn = false

  /// A parser for one stream.
  public init() {}

  /// Adds what arrived.
  ///
  /// - Returns: the events that are complete with it, in order.
  public mutating func append(_ bytes: [UInt8]) -> [ServerSentEvent] {
    var events: [ServerSentEvent] = []
    for byte in bytes {
      let isSecondOfBreak = byte == 10 && endedWithReturn
      endedWithReturn = byte == 13
      if isSecondOfBreak { continue }
      guard byte == 10 || byte == 13 else {
        if held < Self.maximumEventBytes {
          line.append(byte)
          held += 1
        }
        continue
      }
      if let event = endLine() { events.append(event) }
    }
    return events
  }

  private mutating func endLine() -> ServerSentEvent? {
    defer { line.removeAll(keepingCapacity: line.capacity <= 64 << 10) }
    guard !line.isEmpty else {
      defer { (event, data, held) = (nil, [], 0) }
      return data.isEmpty ? nil : ServerSentEvent(event: event, id: id, data: data.joined(separator: "\n"))
    }
    let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.count
    var value = line.dropFirst(colon + 1)
    if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
    let text = String(decoding: value, as: UTF8.self)
    switch String(decoding: line[..<colon], as: UTF8.self) {
    case "event": event = text
    case "data": data.append(text)
    case "id": id = text
    default: break
    }
    return nil
  }
}
