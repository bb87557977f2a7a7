/// The inner loop of BEGINSWITH and of equality over text: one or two loads for each selected row, and no call.
///
/// The first bytes of the needle, at most eight, are compared with two loads that overlap, so nothing is ever read
/// past the end of a row. Copying this costs nothing: it holds no reference.
struct PrefixKernel {
  /// Bytes that are compared: from 1 to 8.
  private let count: Int
  /// The least length of a row that passes.
  private let least: UInt64
  /// How much longer than the least a row may be.
  private let span: UInt64
  private let head: UInt64
  private let tail: UInt64
  /// The needle's first bytes, up to four, and the bits of a row's first four bytes that they decide.
  private let pattern: UInt32
  private let mask: UInt32
  /// Whether a row's first four bytes, zeros after its end, decide the test.
  let isDecidedByHead: Bool

  /// - Returns: nil unless the test is a comparison of whole bytes at the beginning.
  init?(_ test: BytesTest) {
    guard !test.folds, !test.needle.isEmpty, test.operation == .beginsWith || test.operation == .equal else {
      return nil
    }
    count = min(test.needle.count, 8)
    least = UInt64(test.needle.count)
    span = test.operation == .equal ? 0 : .max - least
    let width = count >= 4 ? 4 : count >= 2 ? 2 : 1
    func bytes(from start: Int) -> UInt64 {
      test.needle[start..<start + width].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
    head = bytes(from: 0)
    tail = bytes(from: count - width)
    let deciding = min(count, 4)
    pattern = test.needle.prefix(4).reversed().reduce(0) { $0 << 8 | UInt32($1) }
    mask = deciding == 4 ? .max : 1 << UInt32(8 * deciding) - 1
    isDecidedByHead = Self.isDecidedByHead(test)
  }

  /// A row that is too short has a zero where the needle has none.
  static func isDecidedByHead(_ test: BytesTest) -> Bool {
    !test.folds && test.operation == .beginsWith && (1...4).contains(test.needle.count) && !test.needle.contains(0)
  }

  /// The selected rows that may pass, by the first four bytes of each row: one compare per row, no jump.
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

  /// The selected rows that are long enough and begin with the first bytes of the needle. When the needle is longer
  /// than 8 bytes the others remain to be compared.
  func passing(_ ranges: UnsafeRawPointer, _ bytes: UnsafeRawPointer, _ selection: Selection) -> Selection {
    let back = count
    switch count {
    case 1:
      let first = UInt8(truncatingIfNeeded: head)
      return scan(ranges, bytes, selection) { $0.load(as: UInt8.self) == first }
    case 2, 3:
      let first = UInt16(truncatingIfNeeded: head)
      let last = UInt16(truncatingIfNeeded: tail)
      return scan(ranges, bytes, selection) { text in
        let differs = UInt16(littleEndian: text.loadUnaligned(as: UInt16.self)) ^ first
        return differs | (UInt16(littleEndian: text.loadUnaligned(fromByteOffset: back &- 2, as: UInt16.self)) ^ last)
          == 0
      }
    default:
      let first = UInt32(truncatingIfNeeded: head)
      let last = UInt32(truncatingIfNeeded: tail)
      return scan(ranges, bytes, selection) { text in
        let differs = UInt32(littleEndian: text.loadUnaligned(as: UInt32.self)) ^ first
        return differs | (UInt32(littleEndian: text.loadUnaligned(fromByteOffset: back &- 4, as: UInt32.self)) ^ last)
          == 0
      }
    }
  }

  @inline(__always) private func scan(
    _ ranges: UnsafeRawPointer, _ bytes: UnsafeRawPointer, _ selection: Selection, _ begins: (UnsafeRawPointer) -> Bool
  ) -> Selection {
    @inline(__always) func word(_ selected: UInt64, _ ranges: UnsafeRawPointer) -> UInt64 {
      var rest = selected
      var kept: UInt64 = 0
      while rest != 0 {
        let slot = rest.trailingZeroBitCount
        let others = rest & (rest &- 1)
        let pair = UInt64(littleEndian: ranges.loadUnaligned(fromByteOffset: slot &* 8, as: UInt64.self))
        if (pair >> 32) &- least <= span {
          let text = bytes + Int(truncatingIfNeeded: pair & 0xFFFF_FFFF)
          kept |= begins(text) ? rest ^ others : 0
        }
        rest = others
      }
      return kept
    }
    return Selection(
      SIMD4(
        word(selection.words[0], ranges), word(selection.words[1], ranges + 512),
        word(selection.words[2], ranges + 1024),
        word(selection.words[3], ranges + 1536)))
  }
}
