import FoundationEssentials

extension IndexChooser {
  /// The UUID of sixteen bytes.
  static func uuid(_ bytes: [UInt8]) -> UUID {
    var uuid = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)).uuid
    withUnsafeMutableBytes(of: &uuid) { $0.copyBytes(from: bytes.prefix(16)) }
    return UUID(uuid: uuid)
  }
}
