extension Store {
  /// Reads every node and log entry, and checks every checksum, seal, order and count, and that no node is lost or left
  /// over. Other writers wait meanwhile, unless the store was opened read-only.
  ///
  /// - Throws: ``StorageError`` with code `corrupt`, naming the first fault; `locked` when another writer does not
  ///   end in time.
  /// - Complexity: O(size of the file).
  @discardableResult public func verify(
    progress: (_ rows: Int, _ known: Int) throws -> Void = { _, _ in }
  ) throws -> VerificationReport {
    guard !isReadOnly.load(ordering: .relaxed) else { return try verifyWhileReading(progress) }
    let transaction = try beginWrite()
    defer { transaction.rollback() }
    var verification = Verification(loader: loader)
    try verification.walk(transaction.base, progress)
    try translating("verify") {
      try database.writer.with { try verification.compare($0.reader, transaction.base.pending) }
    }
    return verification.report
  }

  private func verifyWhileReading(_ progress: (Int, Int) throws -> Void) throws -> VerificationReport {
    try translating("verify") {
      try readingLatest { root in
        var verification = Verification(loader: loader)
        try verification.walk(root, progress)
        return (verification, root.pending)
      } _: { connection, known in
        var (verification, pending) = known
        try verification.compare(connection, pending)
        return verification.report
      }
    }
  }
}
