/// A writer of one message: words and numbers separated by single spaces, a newline, then the body.
struct HeadWriter {
  private(set) var bytes: [UInt8]

  init(_ type: StaticString, capacity: Int = 64) {
    bytes = []
    bytes.reserveCapacity(capacity)
    for offset in 0..<type.utf8CodeUnitCount { bytes.append(type.utf8Start[offset]) }
  }

  mutating func field(_ value: some BinaryInteger) {
    bytes.append(0x20)
    bytes.append(contentsOf: String(value).utf8)
  }

  mutating func field(_ value: Bool) { field(value ? 1 : 0) }

  mutating func field(_ session: SessionIdent) { field(session.rawValue) }

  mutating func field(text: String) {
    bytes.append(0x20)
    bytes.append(contentsOf: text.utf8)
  }

  /// Ends the head.
  mutating func newline() { bytes.append(0x0A) }

  mutating func body(_ text: String) { bytes.append(contentsOf: text.utf8) }
  mutating func body(_ run: [UInt8]) { bytes.append(contentsOf: run) }

  /// A JSON_ERROR of either side.
  static func jsonError(_ code: some BinaryInteger, _ body: String, _ session: SessionIdent) -> [UInt8] {
    var head = HeadWriter("json_error")
    head.field(code)
    head.field(body.utf8.count)
    head.field(session)
    head.newline()
    head.body(body)
    return head.bytes
  }
}
