public import ChangesetOT

extension RealmAdapter {
  /// Writes what another system holds as a first load, in transactions of many objects. A load that is stopped goes on where it
  /// was when it is called again with the same objects in the same order.
  ///
  ///     let rows = table.lazy.map { row in [AdapterInstruction.insert(row.reference, values: row.values)] }
  ///     let count = try adapter.load(rows, time: now) { print("\($0) loaded") }
  ///
  /// The numbers of its transactions are counts of objects: later transactions have numbers above the count that is returned.
  ///
  /// - Parameters:
  ///   - objects: the steps of each object.
  ///   - portion: the objects of one transaction.
  ///   - time: of the transactions; what is later wins over what is earlier.
  ///   - progress: called after each transaction with the count of all objects that are written.
  /// - Returns: the count of all objects.
  /// - Throws: as ``write(_:number:base:time:)``; the error of `progress`.
  /// - Complexity: O(*n*) in the steps; those of one portion are in memory.
  @discardableResult
  public func load(
    _ objects: some Sequence<[AdapterInstruction]>, portion: Int = 1_000, time: OriginTimestamp,
    progress: (Int) throws -> Void = { _ in }
  ) throws -> Int {
    precondition(portion > 0, "a portion of a load has at least one object")
    let known = try written().client.rawValue
    var count: UInt64 = 0
    var steps: [AdapterInstruction] = []
    var pending = 0
    func flush() throws {
      guard pending > 0 else { return }
      try write(steps, number: count, base: try present().position.version, time: time)
      (steps, pending) = ([], 0)
      try progress(Int(clamping: count))
    }
    for object in objects {
      count += 1
      guard count > known else { continue }
      steps += object
      pending += 1
      if pending == portion { try flush() }
    }
    try flush()
    return Int(clamping: count)
  }
}
