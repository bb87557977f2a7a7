import CSQLite

extension SQLiteConnection {
  /// Rewrites the database without its unused pages, or writes such a copy to a new file.
  ///
  /// - Parameters:
  ///   - path: the file of the copy; nil rewrites the database itself.
  ///   - progress: called now and then with the share of the rows that are copied, 0 ... 1, by an estimate of the
  ///     instructions that a row takes. Counting the rows costs a walk over the tables.
  ///   - isCancelled: asked as often; true ends the work, which then has done nothing. Of a copy the file may be left.
  /// - Throws: ``SQLiteError`` as the statement VACUUM; the one of an interrupted statement when the work was cancelled.
  public func vacuum(
    into path: String? = nil, isCancelled: () -> Bool = { false }, progress: (_ share: Double) -> Void
  ) throws(SQLiteError) {
    let instructions = max(1, try rowCount() * Self.instructionsPerRow)
    let interval = min(10_000, max(100, instructions / 200))
    var done = 0
    let work = { () throws(SQLiteError) in
      guard let path else { return try self.execute("VACUUM") }
      try self.prepare("VACUUM INTO ?").bind(1, path).run()
    }
    try observing(every: interval, work) {
      done += interval
      progress(min(1, Double(done) / Double(instructions)))
      return !isCancelled()
    }
  }

  /// SQLite copies a row of a table by three instructions: read, insert, next.
  private static let instructionsPerRow = 3

  private func rowCount() throws(SQLiteError) -> Int {
    let tables = try prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0")
    var count: Int64 = 0
    while try tables.step() {
      let name = (tables.text(at: 0) ?? "").split(separator: "\"", omittingEmptySubsequences: false)
      count += try integer("SELECT count(*) FROM \"\(name.joined(separator: "\"\""))\"") ?? 0
    }
    return Int(count)
  }

  /// Runs work; `step` is called after so many instructions of it, and says whether it goes on.
  private func observing(
    every instructions: Int, _ work: () throws(SQLiteError) -> Void, _ step: () -> Bool
  ) throws(SQLiteError) {
    // Valid as long as the call: the handler is taken away before it ends.
    try withoutActuallyEscaping(step) { (step) throws(SQLiteError) in
      let box = StepBox(step)
      sqlite3_progress_handler(
        handle, Int32(clamping: instructions),
        { box in
          guard let box else { return 0 }
          return Unmanaged<StepBox>.fromOpaque(box).takeUnretainedValue().step() ? 0 : 1
        }, Unmanaged.passUnretained(box).toOpaque())
      defer {
        sqlite3_progress_handler(handle, 0, nil, nil)
        withExtendedLifetime(box) {}
      }
      try work()
    }
  }
}

private final class StepBox {
  let step: () -> Bool
  init(_ step: @escaping () -> Bool) { self.step = step }
}
