public import ChangesetOT
import StorageEngine

// The table of client files.

extension ServerHistory {
  /// Gives out a file ident, durable on return: the next one, and when this process gives out its first, one after a leap,
  /// so that it differs from all that were given out before the file was restored from a backup, or begun anew.
  ///
  /// - Throws: ``RecordStoreError`` when the file cannot be written; nothing has then changed.
  public func allocateClientFile(
    _ kind: ClientFileRecord.Kind = .regular, random: inout some RandomNumberGenerator
  ) throws -> SaltedFileIdent {
    let salt = drawSalt(&random)
    let draw = random.next()
    let seen = file.options.clock()
    return try file.write(isRecorded: false) { session in
      let ident = try ClientFileTable.insert(
        ClientFileRecord(salt: salt, kind: kind, lastSeen: seen), session.transaction, incarnation: incarnation.salt,
        isNew: isNew, draw: draw)
      return SaltedFileIdent(ident: ident, salt: salt)
    }
  }

  /// The record of a client file; nil when the ident was never given out.
  ///
  /// - Throws: ``RecordStoreError`` when the file cannot be read.
  public func clientFile(_ ident: FileIdent) throws -> ClientFileRecord? {
    try translatingErrors { try ClientFileTable.file(ident, in: file.store.latestSnapshot()) }
  }

  /// Marks client files that were not seen since `time` as expired, so that history need not be kept for them.
  /// - Returns: the files that are expired now and were not before.
  /// - Throws: ``RecordStoreError`` when the file cannot be written; nothing has then changed.
  @discardableResult
  public func expireClientFiles(notSeenSince time: OriginTimestamp) throws -> [FileIdent] {
    try file.write(isRecorded: false) { session in
      var expired: [FileIdent] = []
      // A client that has everything does not expire while nothing is appended.
      let current = try ServerState(in: session.transaction)?.current ?? .zero
      for number in try ClientFileTable.idents(in: session.transaction) {
        let ident = FileIdent(number)
        guard var file = try ClientFileTable.file(ident, in: session.transaction), !file.isExpired,
          file.lastSeen < time, file.upload.server < current
        else { continue }
        try Self.expire(ident, &file, session.transaction)
        expired.append(ident)
      }
      return expired
    }
  }

  /// Marks one client file as expired, because its client goes on under another ident. Durable on return.
  ///
  /// Uploads under the old ident are refused from then on: the client repeats them under the new one, and they must not be
  /// applied twice. Does nothing for an ident that was never given out.
  ///
  /// - Throws: ``RecordStoreError`` when the file cannot be written; nothing has then changed.
  public func retireClientFile(_ ident: FileIdent) throws {
    try file.write(isRecorded: false) { session in
      guard var file = try ClientFileTable.file(ident, in: session.transaction), !file.isExpired else { return }
      try Self.expire(ident, &file, session.transaction)
    }
  }

  private static func expire(_ ident: FileIdent, _ file: inout ClientFileRecord, _ transaction: WriteTransaction) throws
  {
    file.isExpired = true
    try ClientFileTable.update(ident, file, transaction)
    try transaction.log(ServerLog.reciprocals(ident)).deleteAll()
  }
}
