/// BEGINSWITH and equality over the first four bytes of each row, for columns that keep these apart.
///
/// Eight rows are compared with one vector instruction and no jump. The kernel holds no reference, so copying it costs
/// nothing. Row `query.scan-two-conditions`; the plain form is `BytesTest.passes`.
struct PrefixKernel {
  /// The first bytes of the needle, at most four, and the bits of a row's first four bytes that they decide.
  private let pattern: UInt32
  private let mask: UInt32
  /// Whether a row's first four bytes, zeros after its end, decide the test.
  let isDecidedByHead: Bool

  /// - Returns: nil unless the test compares whole bytes at the beginning of a row.
  init?(_ test: BytesTest) {
    guard !test.folds, !test.needle.isEmpty, test.operation == .beginsWith || test.operation == .equal else {
      return nil
    }
    let deciding = min(test.needle.count, 4)
    pattern = test.needle.prefix(4).reversed().reduce(0) { $0 << 8 | UInt32($1) }
    mask = deciding == 4 ? .max : 1 << UInt32(8 * deciding) - 1
    isDecidedByHead = Self.isDecidedByHead(test)
  }

  /// Whether the first four bytes decide a test. A row that is too short has a zero in the place of a byte of the needle,
  /// so the needle may hold none.
  static func isDecidedByHead(_ test: BytesTest) -> Bool {
    !test.folds && test.operation == .beginsWith && (1...4).contains(test.needle.count) && !test.needle.contains(0)
  }

  /// The selected rows that may pass: those whose first four bytes agree with the needle.
  ///
  /// - Parameter heads: the first four bytes of each of 256 rows, zeros after the end of a row.
  func possible(_ heads: UnsafeRawPointer, _ selection: Selection) -> Selection {
    let patterns = SIMD8<UInt32>(repeating: pattern.littleEndian)
    let masks = SIMD8<UInt32>(repeating: mask.littleEndian)
    let bitOfLane = SIMD8<UInt32>(1, 2, 4, 8, 16, 32, 64, 128)
    @inline(__always) func word(_ selected: UInt64, _ heads: UnsafeRawPointer) -> UInt64 {
      guard selected != 0 else { return 0 }
      var passing: UInt64 = 0
      for group in 0..<8 {
        let eight = heads.loadUnaligned(fromByteOffset: group &* 32, as: SIMD8<UInt32>.self)
        let differs = (eight & masks) .!= patterns
        let bits = bitOfLane.replacing(with: 0, where: differs).wrappedSum()
        passing |= UInt64(truncatingIfNeeded: bits) &<< UInt64(truncatingIfNeeded: group &* 8)
      }
      return passing & selected
    }
    return Selection(
      SIMD4(
        word(selection.words[0], heads), word(selection.words[1], heads + 256), word(selection.words[2], heads + 512),
        word(selection.words[3], heads + 768)))
  }
}
