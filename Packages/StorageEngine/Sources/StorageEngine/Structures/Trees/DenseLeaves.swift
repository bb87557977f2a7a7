import Synchronization

/// The dense leaves below a page of an index of integers: those whose numbers and rows both grow by one, as ids that
/// are given out in order make them. An entry of a dense leaf follows from the leaf's separator, so the leaf need not
/// be in memory.
///
///     separators   (0, 0)        (128, 128)        (256, 256)
///     leaves       128 entries   128 entries       ?             17 lies at row 17, 130 at row 130
///
/// Each leaf is classified when it is first read, by any thread, and stays so: pages do not change. Serves
/// store.key-lookups; the plain form is the reading of the leaf.
struct DenseLeaves: ~Copyable, @unchecked Sendable {
  // @unchecked: entries are atomics.
  /// 0 for a leaf that is not classified, 1 for one that is not dense, its length plus 1 for a dense one.
  private let entries: UnsafeMutablePointer<Atomic<UInt32>>?
  private let count: Int

  /// - Parameter count: the number of leaves; 0 allocates nothing.
  init(count: Int) {
    self.count = count
    entries = count == 0 ? nil : .allocate(capacity: count)
    for index in 0..<count { entries?.advanced(by: index).initialize(to: Atomic(0)) }
  }

  deinit { entries?.deallocate() }

  /// The number of entries of the leaf at `index`; nil unless it is known to be dense.
  func length(_ index: Int) -> Int? {
    guard index < count, let known = entries?[index].load(ordering: .relaxed), known > 1 else { return nil }
    return Int(known) - 1
  }

  /// Classifies the leaf at `index`, whose separator is `separator`, unless that was done.
  func note(_ block: IntBlock, _ separator: IntKey, at index: Int) {
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
  /// The least row with a number, as far as dense leaves below this page, which stands above leaves, tell.
  ///
  /// - Parameter index: of the child to which the key of that number and the least row belongs.
  func rowInDenseLeaves(_ number: Int64, _ index: Int) -> Lookup {
    guard let length = denseLeaves.length(index) else { return .unknown }
    let first = block.key(index)
    // Entries of the separator's own number may end the leaf before.
    guard number > first.number else { return .unknown }
    let distance = UInt64(bitPattern: number &- first.number)
    if distance < UInt64(length) { return .found(RowKey(first.row &+ Int64(bitPattern: distance))) }
    guard denseLeaves.length(index + 1) != nil else { return .unknown }
    let next = block.key(index + 1)
    if number > next.number { return .unknown }
    return number == next.number ? .found(RowKey(next.row)) : .absent
  }
}
