import ByteCoding
import Transport

/// The facts of a client's WebSocket that a node passes on: its request, and where it comes from.
package struct StreamOpening: Hashable, Sendable {
  /// The target of the client's request, still percent-encoded.
  package var target: String
  /// The protocol tokens that are offered.
  package var protocolTokens: [String]
  /// The headers of the client's request that the answer depends on.
  package var headers: HTTPHeaders
  /// The client's address, as the first node saw it.
  package var address: String
  /// Whether the client's connection uses TLS.
  package var isSecure: Bool
  /// The number of nodes that passed it on, with the one that opens the stream.
  package var hops: Int

  private static let maximumTokens = 64

  /// An opening with all its facts.
  package init(
    target: String, protocolTokens: [String], headers: HTTPHeaders, address: String, isSecure: Bool, hops: Int
  ) {
    self.target = target
    self.protocolTokens = protocolTokens
    self.headers = headers
    self.address = address
    self.isSecure = isSecure
    self.hops = hops
  }

  /// Reads the content of a frame.
  ///
  /// - Throws: ``LinkViolation``, `ByteDecodingError`
  init(reading content: inout ByteReader) throws {
    hops = try content.readVarint(Int.self)
    guard (1...PassedOn.maximumHops).contains(hops) else { throw LinkViolation("passed on by \(hops) nodes") }
    switch try content.readByte() {
    case 0: isSecure = false
    case 1: isSecure = true
    default: throw LinkViolation("neither secure nor not")
    }
    address = try content.readString()
    target = try content.readString()
    var tokens: [String] = []
    for _ in 0..<(try content.readLength(limit: Self.maximumTokens)) { tokens.append(try content.readString()) }
    protocolTokens = tokens
    headers = try HTTPHeaders(reading: &content)
    guard content.isAtEnd else { throw LinkViolation("bytes behind the facts of a stream") }
  }

  func write(to writer: inout ByteWriter) {
    writer.writeVarint(hops)
    writer.writeByte(isSecure ? 1 : 0)
    writer.writeString(address)
    writer.writeString(target)
    writer.writeVarint(protocolTokens.count)
    for token in protocolTokens { writer.writeString(token) }
    headers.write(to: &writer)
  }

  /// Whether the facts can be sent: a request with larger headers is refused by the node that the client reached.
  var fitsFrame: Bool {
    var writer = ByteWriter()
    write(to: &writer)
    return writer.count <= LinkFrame.maximumBytes && protocolTokens.count <= Self.maximumTokens
      && headers.fields.count <= HTTPHeaders.maximumFields
  }
}

extension HTTPHeaders {
  /// The most fields in a frame.
  static let maximumFields = 256

  /// Reads fields that ``write(to:)`` wrote.
  ///
  /// - Throws: `ByteDecodingError`
  init(reading content: inout ByteReader) throws {
    var fields: [Field] = []
    for _ in 0..<(try content.readLength(limit: Self.maximumFields)) {
      fields.append(Field(name: try content.readString(), value: try content.readString()))
    }
    self.init(fields)
  }

  func write(to writer: inout ByteWriter) {
    let fields = fields.prefix(Self.maximumFields)
    writer.writeVarint(fields.count)
    for field in fields {
      writer.writeString(field.name)
      writer.writeString(field.value)
    }
  }
}
