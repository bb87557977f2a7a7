import Synchronization

/// Which leaves below a page of an index of integers are runs of numbers and rows that grow by one, as ids that are given
/// out in their order make them: an entry of such a leaf follows from its separator, and the leaf need not be there.
///
///     separators   (0, 0)        (128, 128)        (256, 256)
///     leaves       128 entries   128 entries       ?             17 lies at row 17, 130 at row 130
///
/// Found out leaf by leaf, by any thread, and never forgotten: pages do not change.
struct DenseLeaves: ~Copyable, @unchecked Sendable {
  // @unchecked: entries are atomics.
  /// 0 until a leaf was looked at, 1 when it is no run, its length plus 1 when it is one.
  private let entries: UnsafeMutablePointer<Atomic<UInt32>>?
  private let count: Int

  /// - Parameter count: of leaves; 0 keeps nothing.
  init(count: Int) {
    self.count = count
    entries = count == 0 ? nil : .allocate(capacity: count)
    for index in 0..<count { entries?.advanced(by: index).initialize(to: Atomic(0)) }
  }

  deinit { entries?.deallocate() }

  /// The entries of the leaf at `index`; nil unless it is known to be a run.
  @inline(__always) func length(_ index: Int) -> Int? {
    guard index < count, let known = entries?[index].load(ordering: .relaxed), known > 1 else { return nil }
    return Int(known) - 1
  }

  /// Looks at the leaf at `index`, whose separator is `separator`, unless that was done.
  @inline(__always) func note(_ block: IntBlock, _ separator: IntKey, at index: Int) {
    guard index < count, let entry = entries?.advanced(by: index), entry.pointee.load(ordering: .relaxed) == 0
    else { return }
    entry.pointee.store(block.isRun(from: separator) ? UInt32(clamping: block.count) + 1 : 1, ordering: .relaxed)
  }
}

extension IntBlock {
  /// Whether numbers and rows grow by one, and begin with those of a key.
  fileprivate func isRun(from key: IntKey) -> Bool {
    count > 1 && numbers.isProgression && numbers.step == 1 && rows.isProgression && rows.step == 1
      && numbers.first == key.number && rows.first == key.row && numbers[count - 1] > key.number
  }
}

extension TreeNode where Block == IntBlock {
  /// The least row with a number below this page, which stands above leaves, or none; nil of the outer kind when the
  /// leaves must be asked.
  ///
  /// - Parameter index: of the child to which the key of that number and the least row belongs.
  @inline(__always) func rowInRuns(_ number: Int64, _ index: Int) -> RowKey?? {
    guard let length = runs.length(index) else { return nil }
    let first = block.key(index)
    // Entries of the separator's own number may end the leaf before.
    guard number > first.number else { return nil }
    let distance = UInt64(bitPattern: number &- first.number)
    if distance < UInt64(length) { return .some(RowKey(first.row &+ Int64(bitPattern: distance))) }
    guard runs.length(index + 1) != nil else { return nil }
    let next = block.key(index + 1)
    return number > next.number ? nil : .some(number == next.number ? RowKey(next.row) : nil)
  }
}
