import Synchronization
import TestKit
import Testing

@testable import StorageEngine

@Suite struct IntegerRunTests {
  /// Values that are a progression, begin as one, or are none.
  private func values(_ random: inout SeededGenerator) -> [Int64] {
    let starts: [Int64] = [0, -3, .max, .min, .max - 4, 1_000_000]
    let steps: [Int64] = [0, 1, 1, 2, 256, -1, .max, .min]
    let start = starts.randomElement(using: &random) ?? 0
    let step = steps.randomElement(using: &random) ?? 1
    let count = Int.random(in: 0...140, using: &random)
    var values = (0..<count).map { start &+ step &* Int64($0) }
    if count > 0, random.oneIn(2) {
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        values[Int.random(in: 0..<count, using: &random)] = Int64.random(in: -9...9, using: &random)
      }
    }
    return values
  }

  private func list(_ run: IntegerRun) -> [Int64] { (0..<run.count).map { run[$0] } }

  @Test("a run holds the values that were appended, one by one or in ranges of other runs", arguments: Seeds.some(60))
  func appending(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<40 {
      let (first, second) = (values(&random), values(&random))
      var run = IntegerRun(first)
      #expect(list(run) == first, "SEED=\(seed)")
      var single = IntegerRun()
      for value in first { single.append(value) }
      #expect(list(single) == first, "SEED=\(seed)")
      #expect(single.isProgression == run.isProgression, "SEED=\(seed)")
      #expect(single.cost == run.cost, "SEED=\(seed)")
      let low = Int.random(in: 0...second.count, using: &random)
      let range = low..<Int.random(in: low...second.count, using: &random)
      run.append(range, of: IntegerRun(second))
      #expect(list(run) == first + second[range], "SEED=\(seed) \(first) + \(second)[\(range)]")
      run.append(7)
      #expect(list(run) == first + second[range] + [7], "SEED=\(seed)")
    }
  }

  @Test("cutting a run and joining the parts keeps a progression without listing it")
  func progressions() {
    let run = IntegerRun((0..<1_000).map { 5 + 3 * $0 })
    #expect(run.isProgression)
    #expect(run.cost == 0)
    var joined = IntegerRun()
    for start in stride(from: 0, to: 1_000, by: 128) { joined.append(start..<min(start + 128, 1_000), of: run) }
    #expect(joined.isProgression)
    #expect(joined.count == 1_000)
    #expect(joined[999] == run[999])
  }

  @Test("a run has the bytes of its values", arguments: Seeds.some(30))
  func bytes(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<20 {
      let values = values(&random)
      var plain = NodeWriter()
      IntegerRunCoding.encode(values, into: &plain)
      var writer = NodeWriter()
      IntegerRunCoding.encode(IntegerRun(values), into: &writer)
      let bytes = writer.bytes
      try bytes.withUnsafeBytes { content in
        var reader = NodeReader(content, node: 1)
        let decoded = try IntegerRunCoding.decode(&reader, count: values.count)
        #expect(decoded == values, "SEED=\(seed)")
      }
      // Runs that go round the end of the numbers may have a second form.
      let sorted = values.sorted()
      var first = NodeWriter()
      IntegerRunCoding.encode(sorted, into: &first)
      var second = NodeWriter()
      IntegerRunCoding.encode(IntegerRun(sorted), into: &second)
      #expect(first.bytes == second.bytes || isWrapping(sorted), "SEED=\(seed) \(sorted)")
    }
  }

  private func isWrapping(_ sorted: [Int64]) -> Bool {
    guard let first = sorted.first, let last = sorted.last else { return false }
    return last.subtractingReportingOverflow(first).overflow
  }

  // All empty arrays are one object: a write into it races with readers of others.
  @Test("an empty block and an empty run write nowhere")
  func nothing() {
    let found = Atomic<Int>(0)
    onThreads(2) { number in
      for _ in 0..<2_000 {
        var reader = NodeReader(UnsafeRawBufferPointer(start: nil, count: 0), node: 1)
        let none: [Int64] = []
        let count =
          number == 0
          ? none.withUnsafeBufferPointer { $0.count }
          : ((try? IntegerRunCoding.decode(&reader, count: 0).count) ?? 1) + IntegerRun(size: 0) { _ in 0 }.count
        if count != 0 { found.add(count, ordering: .relaxed) }
      }
    }
    #expect(found.load(ordering: .relaxed) == 0)
  }
}
