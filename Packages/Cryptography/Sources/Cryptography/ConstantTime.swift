import COpenSSL

/// Comparison whose duration does not depend on the contents.
public enum ConstantTime {
  /// Whether both are equal. The time depends on their lengths only.
  public static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    left.withUnsafeBytes { left in right.withUnsafeBytes { areEqual(left, $0) } }
  }

  /// Whether both are equal. The time depends on their lengths only.
  public static func areEqual(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool {
    guard left.count == right.count else { return false }
    guard let leftBytes = left.baseAddress, let rightBytes = right.baseAddress else { return true }
    return CRYPTO_memcmp(leftBytes, rightBytes, left.count) == 0
  }
}
