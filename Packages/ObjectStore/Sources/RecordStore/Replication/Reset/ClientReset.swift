public import ChangesetOT
import StorageEngine

/// Brings a client file back into step with a server whose history it cannot continue.
public struct ClientReset: Hashable, Sendable {
  /// The treatment of local changes that the server does not have.
  public enum Mode: String, Hashable, Sendable {
    /// Local changes are dropped.
    case discard
    /// Local changes are repeated on the server's state.
    case recover
  }

  /// The treatment of local changes.
  public var mode: Mode
  /// Which changes of this file the server has, by its own account: everything up to here, under whichever of its
  /// ``ClientHistory/incarnations()`` it sent them. Nil when it did not say: then what it acknowledged counts.
  public var integrated: ClientVersion?
  /// Whether the server forgot something that it had, as after the restoration of a backup: changed objects that it
  /// lacks are then made again instead of being taken for deleted.
  public var serverForgot: Bool

  /// A reset.
  public init(mode: Mode, integrated: ClientVersion? = nil, serverForgot: Bool = false) {
    self.mode = mode
    self.integrated = integrated
    self.serverForgot = serverForgot
  }

  /// The result of a reset.
  public struct Outcome: Hashable, Sendable {
    /// Local transactions that were done again and will be uploaded.
    public var recovered = 0
    /// Changes that are not in the file any more.
    public var lost: [LostChange] = []
  }
}

/// A client file cannot be reset: a class or a field differs on the server.
public struct ClientResetError: Error, Sendable, CustomStringConvertible {
  /// The difference in words.
  public var reason: String
  /// The message.
  public var description: String {
    "the realm cannot be reset: \(reason); delete the local file, or give the class or field another name"
  }
}

extension ClientHistory {
  /// Makes the file hold the server's state, with or without the local changes that the server lacks, and lets it
  /// continue as the client file that `fresh` is. All of it is one commit, so that a process that is killed leaves the
  /// file as it was or as it is to be; what is open sees an ordinary change.
  ///
  /// - Parameters:
  ///   - fresh: a file of its own that has downloaded everything; it is left as it is.
  ///   - reports: refusals of uploads that the server tells with its account. Those that the file knows nothing of are kept.
  ///   - prepare: called before the commit with what it will have done; when it throws, the file stays as it is.
  /// - Throws: ``ClientResetError``; the file is then untouched.
  public func reset(
    to fresh: ClientHistory, _ reset: ClientReset, reports: [PendingReport] = [],
    prepare: (ClientReset.Outcome) throws -> Void = { _ in }
  ) throws -> ClientReset.Outcome {
    do {
      let scratch = try WriteSession(fresh.file, isRecorded: false)
      defer { scratch.rollback() }
      return try file.write(isRecorded: false) { session in
        let outcome = try ResetRun(live: session, fresh: scratch, reset: reset).perform()
        try PendingReports.keepUnknown(reports, of: file, in: session.transaction)
        try prepare(outcome)
        return outcome
      }
    } catch let refusal as Refusal {
      throw ClientResetError(reason: refusal.reason)
    }
  }

  /// Local changes that the server does not have, as a reset would lose them.
  ///
  /// - Parameter integrated: as in ``ClientReset/integrated``.
  /// - Throws: ``RecordStoreError`` when the file cannot be read.
  public func unconfirmedChanges(integrated: ClientVersion? = nil) throws -> [LostChange] {
    try translatingErrors {
      let snapshot = try file.store.latestSnapshot()
      let state = try ClientLog.state(in: snapshot)
      let items = try file.store.log(ClientLog.entries).entries(
        in: ClientLog.positions(after: integrated ?? state.acknowledged))
      return try ClientLog.uploadable(items).flatMap { version, entry in
        ResetRun.describe(entry, version, own: state.ident.ident, reason: "the server does not have it")
      }
    }
  }
}

extension RealmFile {
  /// Writes a compact copy of the newest version to a new file, under the key of this one.
  ///
  /// - Throws: ``RecordStoreError`` with code `fileExists` when there is a file, or when the copy cannot be written.
  public func writeBackup(toPath path: String) throws {
    try writeCopy(toPath: path, encryptionKey: options.encryptionKey)
  }
}

extension ClientLog {
  /// The local changesets among entries of a history, by the versions that they made.
  static func uploadable(_ items: [LogEntry]) throws -> [(ClientVersion, ClientLogEntry)] {
    try items.compactMap { item in
      let entry = try ClientLogEntry(decoding: item.content)
      return entry.isUploadable ? (ClientVersion(UInt64(item.position)), entry) : nil
    }
  }

  /// The positions of entries after a version; those of the newest transaction are the last.
  static func positions(after version: ClientVersion) -> ClosedRange<Int64> {
    Int64(clamping: min(version.rawValue, UInt64(Int64.max) - 1)) + 1...Int64.max
  }
}
