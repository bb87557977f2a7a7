extension Store {
  /// A snapshot of the latest version that any process committed.
  ///
  /// - Throws: ``StorageError`` with code `corrupt` when the root page is damaged, and with other codes when the file cannot
  ///   be read.
  /// - Complexity: O(1) when this process knows the version; O(tables) else.
  public func latestSnapshot() throws -> Snapshot {
    let root = try database.isInMemory ? registeredInMemory() : registeredInFile()
    return Snapshot(root: root, loader: loader, registry: registry)
  }

  private func registeredInMemory() throws -> RootPage {
    current.withLock { root in
      registry.retain(root.version, end: root.nextNode)
      return root
    }
  }

  /// Registers a reader of the latest version, and makes sure that no commit deleted its nodes before the reader could be
  /// seen.
  private func registeredInFile() throws -> RootPage {
    var last: UInt64 = 0
    while true {
      let known = current.withLock { $0 }
      let seen = try latestRoot(known: known.version)
      // The loop goes on only because a later version was committed.
      guard seen.version > last else { throw StorageError.damage("The file went back to an earlier version.") }
      last = seen.version
      switch registry.register(seen.version) {
      case .reclaimed: continue
      case .protected: break
      case .unconfirmed:
        // Commits read the slots of readers before they delete, and delete only what an earlier commit announced. So if
        // nothing above this version was announced by now, no commit will delete its nodes while the reader is there.
        guard try isWhole(seen.version) else {
          registry.withdraw(seen.version)
          continue
        }
      }
      do {
        let root = try adopt(seen.version, seen.content, known)
        registry.confirm(seen.version, end: root.nextNode)
        return root
      } catch {
        registry.withdraw(seen.version)
        throw error
      }
    }
  }

  /// Whether no commit up to now announced that a version, of which a reader was just registered, may lose nodes.
  private func isWhole(_ version: UInt64) throws -> Bool {
    do { return try latestRoot(known: version).freeable <= version } catch {
      registry.withdraw(version)
      throw error
    }
  }

  /// The latest root row, without its content when the version is `known`.
  func latestRoot(known: UInt64) throws -> RootRow {
    let root = try translating("read the latest version") { try database.reading { try $0.root(known: known) } }
    guard let root else { throw Self.rootMissing }
    return root
  }

  static var rootMissing: StorageError {
    StorageError(.corrupt, "The file has no version. Restore it from a backup or its server.")
  }

  /// The root page of a version with a reader, decoded over the version that this process knows.
  func adopt(_ version: UInt64, _ content: [UInt8]?, _ known: RootPage) throws -> RootPage {
    guard let content, version != known.version else { return known }
    let root = try RootPage.decode(
      try loader.source.opened(content, for: .root(version: version)), version: version, loader: loader, earlier: known)
    current.withLock { if $0.version < version { $0 = root } }
    return root
  }

  /// Calls `body` with a connection that sees the latest version, and with the result of `prepare` for that version.
  func readingLatest<Prepared, R>(
    _ prepare: (RootPage) throws -> Prepared, _ body: (ReaderConnection, Prepared) throws -> R
  ) throws -> R {
    while true {
      let snapshot = try latestSnapshot()
      defer { withExtendedLifetime(snapshot) {} }
      let prepared = try prepare(snapshot.root)
      let result: R? = try database.reading { connection in
        // In memory a transaction may be open on the only connection.
        let isOwn = !connection.sqlite.isInTransaction
        if isOwn { try connection.statement("BEGIN").run() }
        defer { if isOwn { try? connection.statement("COMMIT").run() } }
        // A writer may have committed since the snapshot.
        guard try connection.root(known: snapshot.root.version)?.version == snapshot.root.version else { return nil }
        return .some(try body(connection, prepared))
      }
      if let result { return result }
    }
  }
}
