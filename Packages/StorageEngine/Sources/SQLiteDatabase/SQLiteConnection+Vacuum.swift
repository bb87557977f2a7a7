import CSQLite

extension SQLiteConnection {
  /// Rewrites the database without its unused pages, or writes such a copy to a new file.
  ///
  /// - Parameters:
  ///   - path: the file of the copy; nil rewrites the database itself.
  ///   - progress: called now and then with the share of the rows that are copied, 0 ... 1, by an estimate of the
  ///     instructions that a row takes. Counting the rows costs a walk over the tables.
  /// - Throws: ``SQLiteError`` as the statement VACUUM.
  public func vacuum(into path: String? = nil, progress: (_ share: Double) -> Void) throws(SQLiteError) {
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

  /// Runs work; `step` is called after so many instructions of it.
  private func observing(
    every instructions: Int, _ work: () throws(SQLiteError) -> Void, _ step: () -> Void
  ) throws(SQLiteError) {
    // Valid as long as the call: the handler is taken away before it ends.
    try withoutActuallyEscaping(step) { (step) throws(SQLiteError) in
      let box = StepBox(step)
      sqlite3_progress_handler(
        handle, Int32(clamping: instructions),
        { box in
          if let box { Unmanaged<StepBox>.fromOpaque(box).takeUnretainedValue().step() }
          return 0
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
  let step: () -> Void
  init(_ step: @escaping () -> Void) { self.step = step }
}
