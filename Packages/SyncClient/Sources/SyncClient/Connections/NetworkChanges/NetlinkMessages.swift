/// Reads the messages by which Linux tells of its network (`rtnetlink(7)`), in the byte order of the machine.
///
/// Guarantee: no bytes make it trap; what is cut off or unknown announces nothing.
enum NetlinkMessages {
  private static let headerBytes = 16
  private static let newLink: UInt16 = 16
  private static let newAddress: UInt16 = 20
  private static let newRoute: UInt16 = 24
  /// `IFF_RUNNING`: the interface carries packets.
  private static let isRunning: UInt32 = 0x40
  /// `IFF_LOOPBACK`
  private static let isLoopback: UInt32 = 0x8
  /// `RT_SCOPE_HOST`: an address inside this machine.
  private static let hostScope: UInt8 = 254
  /// `RT_TABLE_LOCAL`: routes to this machine itself.
  private static let localTable: UInt8 = 255

  /// Whether one of the messages in a datagram announces a way to others: an interface that runs, an address, or a default
  /// route.
  ///
  /// - Complexity: O(*n*) in the number of bytes.
  static func announceNetwork(_ datagram: [UInt8]) -> Bool {
    var rest = datagram[...]
    while rest.count >= headerBytes {
      let length = Int(load(UInt32.self, rest, at: 0))
      guard length >= headerBytes, length <= rest.count else { return false }
      let body = rest.dropFirst(headerBytes).prefix(length - headerBytes)
      if announces(load(UInt16.self, rest, at: 4), body) { return true }
      // Messages begin at multiples of four bytes.
      rest = rest.dropFirst((length + 3) & ~3)
    }
    return false
  }

  private static func announces(_ type: UInt16, _ body: ArraySlice<UInt8>) -> Bool {
    switch type {
    case newLink:
      guard body.count >= 16 else { return false }
      let flags = load(UInt32.self, body, at: 8)
      return flags & isRunning != 0 && flags & isLoopback == 0
    case newAddress:
      // family, prefix length, flags, scope
      return body.count >= 8 && body[body.startIndex + 3] != hostScope
    case newRoute:
      // family, bytes of destination, of source, type of service, table
      return body.count >= 12 && body[body.startIndex + 1] == 0 && body[body.startIndex + 4] != localTable
    default: return false
    }
  }

  private static func load<Number: FixedWidthInteger>(
    _ type: Number.Type, _ bytes: ArraySlice<UInt8>, at offset: Int
  ) -> Number {
    bytes.dropFirst(offset).prefix(MemoryLayout<Number>.size).withUnsafeBytes { buffer in
      buffer.count == MemoryLayout<Number>.size ? buffer.loadUnaligned(as: type) : 0
    }
  }
}
