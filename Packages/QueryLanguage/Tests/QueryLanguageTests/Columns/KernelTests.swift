import TestKit
import Testing

@testable import QueryLanguage

@Suite("Kernels") struct KernelTests {
  @Test("256 integers in words agree with comparing them one by one", arguments: Seeds.some(50))
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

  @Test("heads of texts let every row through that begins with the needle", arguments: Seeds.some(50))
  func prefixes(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let rows = (0..<256).map { _ in
      (0..<Int.random(in: 0...6, using: &random)).map { _ -> UInt8 in random.oneIn(12) ? 66 : 65 }
    }
    let heads = rows.flatMap { $0.prefix(4) + [UInt8](repeating: 0, count: max(0, 4 - $0.count)) }
    var selection = Selection()
    for slot in 0..<256 where !random.oneIn(3) { selection.insert(slot) }
    for length in 1...6 {
      var needle = [UInt8](repeating: 65, count: length)
      if random.oneIn(2) { needle[Int.random(in: 0..<length, using: &random)] = 66 }
      for operation in [BytesTest.Operation.beginsWith, .equal] {
        let kernel = try #require(PrefixKernel(BytesTest(operation: operation, needle: needle)))
        let found = heads.withUnsafeBytes { raw in
          raw.baseAddress.map { kernel.possible($0, selection) } ?? Selection()
        }
        #expect(kernel.isDecidedByHead == (operation == .beginsWith && length <= 4))
        for slot in 0..<256 {
          let wanted = selection.contains(slot) && rows[slot].prefix(4).starts(with: needle.prefix(4))
          #expect(found.contains(slot) == wanted, "seed \(seed), \(needle) in \(rows[slot])")
        }
      }
    }
  }
}
