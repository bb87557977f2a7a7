extension Realm {
  /// Runs `block` in a write transaction, which commits when the block returns and is cancelled when it throws.
  ///
  ///     try realm.write { dog.name = "Rex" }
  ///
  /// One transaction runs at a time over all threads and processes; this call blocks until its turn. The realm first
  /// moves to the newest version, as ``refresh()`` does. The commit is durable when the call returns.
  ///
  /// - Parameter tokens: registrations whose handlers are not called for this commit.
  /// - Returns: the result of the block.
  /// - Throws: the block's error; ``Realm/Error`` when the disk fails, and when an earlier read failed (see
  ///   ``checkReads()``). Nothing is written then.
  /// - Complexity: a commit is O(*m*) in the changed objects, and one synchronisation of the disk.
  @discardableResult
  public func write<Result>(
    withoutNotifying tokens: [NotificationToken] = [], _ block: () throws -> Result
  ) throws -> Result {
    try view.beginWrite()
    let result: Result
    do { result = try block() } catch {
      if view.isWriting { view.cancelWrite() }
      throw error
    }
    if view.isWriting { try view.commitWrite(withoutNotifying: tokens) }
    return result
  }

  /// Begins a write transaction; blocks until no other runs. A nested transaction stops the program. A transaction that
  /// cannot begin drops its changes, and its commit throws the error.
  public func beginWrite() { view.beginWriteOrRefuse() }

  /// Commits the open transaction, which is durable when the call returns. Without a transaction the program stops.
  ///
  /// - Parameter tokens: registrations whose handlers are not called for this commit.
  /// - Throws: ``Realm/Error`` when the disk fails, when the transaction could not begin, or when a read failed (see
  ///   ``checkReads()``). The transaction is cancelled then.
  public func commitWrite(withoutNotifying tokens: [NotificationToken] = []) throws {
    try view.commitWrite(withoutNotifying: tokens)
  }

  /// Throws the first error of a read since the last call. Properties that cannot be read show their defaults, and
  /// collections are empty; unless this is called, the next write transaction throws the error instead of beginning.
  ///
  ///     let names = realm.objects(Person.self).map(\.name)
  ///     try realm.checkReads()            // all names are what the file holds
  ///
  /// - Throws: ``Realm/Error``: `invalidDatabase` for a damaged file, with what to do; `fileAccess` for a failing disk.
  public func checkReads() throws {
    view.checkConfinement()
    try view.faults.check()
  }

  /// Cancels the open transaction: all its changes are dropped, and objects that it added become invalid. Without a
  /// transaction the program stops.
  public func cancelWrite() { view.cancelWrite() }
}
