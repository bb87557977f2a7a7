import DataModel

/// A column condition at work: narrows the selection of a cluster.
final class ColumnNode: FilterNode {
  let condition: ColumnCondition
  private let flags = ColumnKernels.Flags.allocate(capacity: 264)
  /// The rows of the objects that a link condition names, once looked up.
  private var linkedRows: [QueryRow]?
  private let linkTarget: TableReader?
  // The tests of most scans, without references: reading them out of the condition would count for each cluster.
  private let range: ClosedRange<Int64>?
  private let flag: Bool?
  private let prefix: PrefixKernel?

  init(_ condition: ColumnCondition, linkTarget: TableReader?) {
    self.condition = condition
    self.linkTarget = linkTarget
    if case .integers(let tested) = condition.test { range = tested } else { range = nil }
    if case .bool(let tested) = condition.test { flag = tested } else { flag = nil }
    if case .bytes(let tested) = condition.test { prefix = PrefixKernel(tested) } else { prefix = nil }
    super.init(cost: Self.cost(condition.test))
  }

  deinit { flags.deallocate() }

  /// The expected time for one row, in arbitrary units, discounted for tests that pass few rows.
  static func cost(_ test: ColumnTest) -> Double {
    switch test {
    case .nothing, .bool: 1
    case .integers(let range): range.lowerBound == range.upperBound ? 1.5 : 2
    case .doubles, .links: 3
    case .timestamps: 5
    case .integerSet: 6
    case .bytes(let test) where PrefixKernel.isDecidedByHead(test): 1.5
    case .bytes(let test):
      switch test.operation {
      case .equal, .beginsWith, .endsWith: test.folds ? 14 : 10
      case .like: 40
      case .contains: test.folds ? 50 : 20
      default: 14
      }
    case .bytesSet, .doubleSet: 20
    case .decimalSet, .timestampSet: 40
    }
  }

  override func apply(_ batch: Batch, _ selection: inout Selection) throws {
    let column = try batch.cluster.column(condition.property)
    if case .generic = column.layout {
      try selection.filter { slot in condition.holds(try batch.cluster.value(of: condition.property, slot: slot)) }
      return
    }
    if case .links(let rows) = column.layout { return try applyLinks(rows, batch, &selection) }
    if case .allNull = column.layout {
      if !condition.matchesNull { selection = Selection() }
      return
    }
    var passing = try passes(column, batch, selection)
    if condition.isNegated { passing.words = ~passing.words }
    if let nulls = column.nulls {
      let null = Selection(loading: nulls)
      if condition.matchesNull { passing.formUnion(null) } else { passing.subtract(null) }
    }
    selection.formIntersection(passing)
  }

  /// The rows that pass the test; rows that are not selected or null may be anything.
  private func passes(_ column: ColumnView, _ batch: Batch, _ selection: Selection) throws -> Selection {
    let count = batch.slotCount
    if let range { return integers(column, range, count, selection) }
    if let flag, case .bits(let bits) = column.layout {
      let set = Selection(loading: bits)
      return flag ? set : Selection(~set.words)
    }
    if let prefix, case .ranges(let ranges, let bytes) = column.layout {
      let candidates = column.heads.map { prefix.possible($0, selection) } ?? selection
      if prefix.isDecidedByHead, column.heads != nil { return candidates }
      let begun = candidates.isEmpty ? candidates : prefix.passing(ranges, bytes, candidates)
      guard case .bytes(let test) = condition.test, test.needle.count > 8, !begun.isEmpty else { return begun }
      return Self.bytes(test, begun) { ColumnKernels.range(ranges, bytes, $0) }
    }
    switch (condition.test, column.layout) {
    case (.nothing, _): return Selection()
    case (.doubles(let low, let high), .double(let values)):
      if let bounds = column.floatingBounds {
        if bounds.upperBound < low || bounds.lowerBound > high { return Selection() }
        if bounds.lowerBound >= low, bounds.upperBound <= high { return Selection(first: count) }
      }
      return ColumnKernels.doubles(values, low, high, count: count, flags)
    case (.doubles(let low, let high), .float(let values)):
      return ColumnKernels.floats(values, low, high, count: count, flags)
    case (.bytes(let test), .bytes(let offsets, let bytes)):
      if test.operation == .contains, !test.folds, !test.needle.isEmpty, selection.count * 2 > count {
        return TextKernels.containing(test.needle, offsets: offsets, bytes, count)
      }
      return Self.bytes(test, selection) { ColumnKernels.bytes(offsets, bytes, $0) }
    case (.bytes(let test), .ranges(let ranges, let bytes)):
      if test.operation == .contains, !test.folds, !test.needle.isEmpty, selection.count * 2 > count,
        let found = TextKernels.containing(test.needle, ranges, bytes, count)
      {
        return found
      }
      return Self.bytes(test, selection) { ColumnKernels.range(ranges, bytes, $0) }
    case (.bytesSet(let set), .ranges(let ranges, let bytes)):
      var passing = selection
      passing.filter { set.contains(ColumnKernels.range(ranges, bytes, $0)) }
      return passing
    case (.bytes(let test), .fixed(let bytes, let width)):
      var passing = selection
      let base = bytes.assumingMemoryBound(to: UInt8.self)
      test.needle.withUnsafeBufferPointer { needle in
        passing.filter { test.passes(UnsafeBufferPointer(start: base + $0 * width, count: width), needle) }
      }
      return passing
    case (.bytesSet(let set), .bytes(let offsets, let bytes)):
      var passing = selection
      passing.filter { set.contains(ColumnKernels.bytes(offsets, bytes, $0)) }
      return passing
    case (.bytesSet(let set), .fixed(let bytes, let width)):
      var passing = selection
      let base = bytes.assumingMemoryBound(to: UInt8.self)
      passing.filter { set.contains(UnsafeBufferPointer(start: base + $0 * width, count: width)) }
      return passing
    case (.integerSet(let set), _):
      var passing = selection
      passing.filter { set.contains(ColumnKernels.integer(column, $0)) }
      return passing
    case (.doubleSet(let set), .double(let values)):
      var passing = selection
      passing.filter { set.contains(ColumnTest.bits(values.loadUnaligned(fromByteOffset: $0 * 8, as: Double.self))) }
      return passing
    case (.timestamps, .timestamps(let seconds, let nanoseconds)):
      return Self.timestamps(condition.test, seconds, nanoseconds, count, selection)
    default:
      var passing = selection
      try passing.filter { condition.test.passes(try batch.cluster.value(of: condition.property, slot: $0)) }
      return passing
    }
  }

  private func integers(
    _ column: ColumnView, _ range: ClosedRange<Int64>, _ count: Int, _ selection: Selection
  ) -> Selection {
    if let bounds = column.bounds {
      if bounds.upperBound < range.lowerBound || bounds.lowerBound > range.upperBound { return Selection() }
      if bounds.lowerBound >= range.lowerBound, bounds.upperBound <= range.upperBound { return Selection(first: count) }
    }
    switch column.layout {
    case .int8(let values): return ColumnKernels.integers(Int8.self, values, range, count: count, flags)
    case .int16(let values): return ColumnKernels.integers(Int16.self, values, range, count: count, flags)
    case .int32(let values): return ColumnKernels.integers(Int32.self, values, range, count: count, flags)
    case .int64(let values) where selection.count <= 48:
      // So few that looking at each touches less memory than looking at all.
      var passing = selection
      passing.filter { range.contains(values.loadUnaligned(fromByteOffset: $0 &* 8, as: Int64.self)) }
      return passing
    case .int64(let values) where count == 256: return ColumnKernels.integers(values, range)
    case .int64(let values): return ColumnKernels.integers(Int64.self, values, range, count: count, flags)
    default: return Selection()
    }
  }

  @inline(__always) private static func bytes(
    _ test: BytesTest, _ selection: Selection, _ text: (Int) -> UnsafeBufferPointer<UInt8>
  ) -> Selection {
    test.needle.withUnsafeBufferPointer { needle in
      var passing = selection
      passing.filter { test.passes(text($0), needle) }
      return passing
    }
  }

  private static func timestamps(
    _ test: ColumnTest, _ seconds: UnsafeRawPointer, _ nanoseconds: UnsafeRawPointer, _ count: Int,
    _ selection: Selection
  ) -> Selection {
    guard case .timestamps(let low, let lowIsInclusive, let high, let highIsInclusive) = test else { return selection }
    var passing = selection
    passing.filter { slot in
      let second = seconds.loadUnaligned(fromByteOffset: slot * 8, as: Int64.self)
      func order(_ bound: Timestamp) -> Int {
        if second != bound.seconds { return second < bound.seconds ? -1 : 1 }
        return Int(nanoseconds.loadUnaligned(fromByteOffset: slot * 4, as: Int32.self)) - Int(bound.nanoseconds)
      }
      if let low {
        let order = order(low)
        if order < 0 || order == 0 && !lowIsInclusive { return false }
      }
      if let high {
        let order = order(high)
        if order > 0 || order == 0 && !highIsInclusive { return false }
      }
      return true
    }
    return passing
  }

  // MARK: Links

  private func applyLinks(_ rows: UnsafeRawPointer, _ batch: Batch, _ selection: inout Selection) throws {
    let wanted = try wantedRows()
    selection.filter { slot in
      let row = rows.loadUnaligned(fromByteOffset: slot * 8, as: Int64.self)
      if row < 0 { return condition.matchesNull }
      return wanted.contains(row) != condition.isNegated
    }
  }

  private func wantedRows() throws -> [QueryRow] {
    if let linkedRows { return linkedRows }
    var rows: [QueryRow] = []
    if case .links(let references) = condition.test, let linkTarget {
      for reference in references where reference.className == linkTarget.table.schema.className {
        if let row = try linkTarget.table.row(forKey: reference.key) { rows.append(row) }
      }
    }
    linkedRows = rows
    return rows
  }
}
