import DataModel

/// A column condition at work: narrows the selection of a cluster.
final class ColumnNode: FilterNode {
  let condition: ColumnCondition
  private let flags = ColumnKernels.Flags.allocate(capacity: 264)
  /// The rows of the objects that a link condition names; looked up on first use.
  private var linkedRows: [QueryRow]?
  private let linkTarget: TableReader?
  // Copies of the three commonest tests that hold no reference: reading them out of the condition would retain and
  // release for each cluster. Rows `query.scan-two-conditions` and `query.count-bool`.
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
      case .less, .lessOrEqual, .greater, .greaterOrEqual: 14
      case .contains: test.folds ? 50 : 20
      case .like: 40
      }
    case .bytesSet, .doubleSet: 20
    case .decimalSet, .timestampSet: 40
    }
  }

  override func apply(_ batch: Batch, _ selection: inout Selection) throws {
    let column = try batch.cluster.column(condition.property)
    switch column.layout {
    case .generic:
      try selection.filter { slot in condition.holds(try batch.cluster.value(of: condition.property, slot: slot)) }
    case .links(let rows): try applyLinks(rows, &selection)
    case .allNull: if !condition.matchesNull { selection = Selection() }
    case .int64, .bits, .float, .double, .ranges, .timestamps, .fixed:
      var passing = try passes(column, batch, selection)
      if condition.isNegated { passing.words = ~passing.words }
      if let nulls = column.nulls {
        let null = Selection(loading: nulls)
        if condition.matchesNull { passing.formUnion(null) } else { passing.subtract(null) }
      }
      selection.formIntersection(passing)
    }
  }

  /// The slots that pass the test. Slots that are not selected, or null, may be in it or not.
  private func passes(_ column: ColumnView, _ batch: Batch, _ selection: Selection) throws -> Selection {
    if let range, case .int64(let values) = column.layout {
      return integers(values, column.bounds, range, batch.slotCount, selection)
    }
    if let flag, case .bits(let bits) = column.layout {
      let set = Selection(loading: bits)
      return flag ? set : Selection(~set.words)
    }
    if let prefix, prefix.isDecidedByHead, case .ranges = column.layout, let heads = column.heads {
      return prefix.possible(heads, selection)
    }
    switch condition.test {
    case .nothing: return Selection()
    case .doubles(let low, let high):
      if case .double(let values) = column.layout {
        return doubles(values, column.floatingBounds, low, high, batch.slotCount)
      }
      if case .float(let values) = column.layout {
        return selection.filtered { slot in
          let value = Double(values.loadUnaligned(fromByteOffset: slot &* 4, as: Float.self))
          return value >= low && value <= high
        }
      }
    case .bytes(let test):
      if let passing = bytes(test, column, batch.slotCount, selection) { return passing }
    case .bytesSet(let set):
      if case .ranges(let ranges, let bytes) = column.layout {
        return selection.filtered { set.contains(ColumnKernels.range(ranges, bytes, $0)) }
      }
    case .integerSet(let set):
      if case .int64(let values) = column.layout {
        return selection.filtered { set.contains(ColumnKernels.integer(values, $0)) }
      }
    case .timestamps:
      if case .timestamps(let seconds, let nanoseconds) = column.layout {
        return selection.filtered { slot in
          let part = nanoseconds.loadUnaligned(fromByteOffset: slot &* 4, as: Int32.self)
          let second = ColumnKernels.integer(seconds, slot)
          return condition.test.passes(.timestamp(Timestamp(seconds: second, nanoseconds: part)))
        }
      }
    case .integers, .bool, .doubleSet, .decimalSet, .timestampSet, .links: break
    }
    // The plain form, right for every test and layout.
    return try selection.filtered { slot in
      condition.test.passes(try batch.cluster.value(of: condition.property, slot: slot))
    }
  }

  private func integers(
    _ values: UnsafeRawPointer, _ bounds: ClosedRange<Int64>?, _ range: ClosedRange<Int64>, _ count: Int,
    _ selection: Selection
  ) -> Selection {
    if let bounds {
      if bounds.upperBound < range.lowerBound || bounds.lowerBound > range.upperBound { return Selection() }
      if bounds.lowerBound >= range.lowerBound, bounds.upperBound <= range.upperBound { return Selection(first: count) }
    }
    // For few selected rows, reading each one touches less memory than comparing all. Row `query.scan-two-conditions`.
    if count == 256, selection.count > 48 { return ColumnKernels.integers(values, range) }
    return selection.filtered { range.contains(ColumnKernels.integer(values, $0)) }
  }

  private func doubles(
    _ values: UnsafeRawPointer, _ bounds: ClosedRange<Double>?, _ low: Double, _ high: Double, _ count: Int
  ) -> Selection {
    if let bounds {
      if bounds.upperBound < low || bounds.lowerBound > high { return Selection() }
      if bounds.lowerBound >= low, bounds.upperBound <= high { return Selection(first: count) }
    }
    return ColumnKernels.doubles(values, low, high, count: count, flags)
  }

  /// The selected slots whose bytes pass; nil for a layout without bytes.
  private func bytes(_ test: BytesTest, _ column: ColumnView, _ count: Int, _ selection: Selection) -> Selection? {
    switch column.layout {
    case .ranges(let ranges, let bytes):
      var candidates = selection
      if let prefix, let heads = column.heads {
        candidates = prefix.possible(heads, selection)
        if candidates.isEmpty { return candidates }
      }
      if test.operation == .contains, !test.folds, !test.needle.isEmpty, selection.count * 2 > count,
        let found = TextKernels.containing(test.needle, ranges, bytes, count)
      {
        return found
      }
      return test.needle.withUnsafeBufferPointer { needle in
        candidates.filtered { test.passes(ColumnKernels.range(ranges, bytes, $0), needle) }
      }
    case .fixed(let bytes, let width):
      let base = bytes.assumingMemoryBound(to: UInt8.self)
      return test.needle.withUnsafeBufferPointer { needle in
        selection.filtered { test.passes(UnsafeBufferPointer(start: base + $0 * width, count: width), needle) }
      }
    case .generic, .allNull, .int64, .bits, .float, .double, .timestamps, .links: return nil
    }
  }

  // MARK: Links

  private func applyLinks(_ rows: UnsafeRawPointer, _ selection: inout Selection) throws {
    let wanted = try wantedRows()
    selection.filter { slot in
      let row = ColumnKernels.integer(rows, slot)
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
