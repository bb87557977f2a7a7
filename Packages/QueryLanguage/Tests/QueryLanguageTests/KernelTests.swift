import TestKit
import Testing

@testable import QueryLanguage

@Suite("Kernels") struct KernelTests {
  @Test("256 integers in words are what comparing them one by one says", arguments: Seeds.some(50))
  func integers(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let edges: [Int64] = [.min, .min + 1, -1, 0, 1, 41, .max - 1, .max]
    let values = (0..<256).map { _ in
      random.oneIn(2) ? edges[Int.random(in: 0..<8, using: &random)] : .random(in: 0..<100, using: &random)
    }
    for low in edges {
      for high in edges where low <= high {
        let found = values.withUnsafeBytes { raw in
          raw.baseAddress.map { ColumnKernels.integers($0, low...high) } ?? Selection()
        }
        for slot in 0..<256 { #expect(found.contains(slot) == (low...high).contains(values[slot]), "seed \(seed)") }
      }
    }
  }

  @Test("beginnings of text are what comparing byte by byte says", arguments: Seeds.some(50))
  func prefixes(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    func text(_ most: Int) -> [UInt8] {
      (0..<Int.random(in: 0...most, using: &random)).map { _ in random.oneIn(12) ? 66 : 65 }
    }
    let rows = (0..<256).map { _ in text(14) }
    var ranges: [UInt32] = []
    for row in rows {
      ranges += [UInt32(ranges.isEmpty ? 0 : ranges[ranges.count - 2] + ranges[ranges.count - 1]), UInt32(row.count)]
    }
    var selection = Selection()
    for slot in 0..<256 where !random.oneIn(3) { selection.insert(slot) }
    let bytes = Array(rows.joined())
    for length in 1...10 {
      var needle = [UInt8](repeating: 65, count: length)
      if random.oneIn(2) { needle[Int.random(in: 0..<length, using: &random)] = 66 }
      for operation in [BytesTest.Operation.beginsWith, .equal] {
        let kernel = try #require(PrefixKernel(BytesTest(operation: operation, needle: needle)))
        let found = ranges.withUnsafeBytes { ranges in
          bytes.withUnsafeBytes { bytes in
            if let ranges = ranges.baseAddress, let bytes = bytes.baseAddress {
              kernel.passing(ranges, bytes, selection)
            } else {
              Selection()
            }
          }
        }
        for slot in 0..<256 {
          let row = rows[slot]
          let fits = operation == .equal ? row.count == length : row.count >= length
          let wanted = selection.contains(slot) && fits && row.prefix(8).starts(with: needle.prefix(8))
          #expect(found.contains(slot) == wanted, "seed \(seed), \(needle) in \(row)")
        }
      }
    }
  }
}
