public import ChangesetOT

/// The server's half of replication: one realm file with its state, its history and its table of client files, all
/// changing in one transaction.
///
///     let history = try ServerHistory(try RealmFile.open(.file(path: "42.realm")), random: &generator)
///     let ident = try history.allocateClientFile()
///     let outcomes = try history.integrate([batch])
///     let scan = try history.scan(for: ident.ident, from: .zero, byteLimit: 16 << 20)
///
/// Safe to use from any thread; writes wait for each other. The same file can be read as a ``Realm``.
public final class ServerHistory: Sendable {
  /// The served file.
  public let file: RealmFile

  /// The history of `file`, made ready when the file is new.
  ///
  /// - Parameter random: draws the salt of a new history.
  public init(_ file: RealmFile, random: inout some RandomNumberGenerator) throws { self.file = file }

  /// Where the history stands.
  /// - Parameter claim: the version that a client says it heard of; its salt is looked up.
  public func state(claim: ServerVersion = .zero) throws -> ServerHistoryState {
    ServerHistoryState(current: .zero, base: .zero, saltOfClaim: nil)
  }

  /// Gives out the next file ident, durable on return.
  public func allocateClientFile(
    _ kind: ClientFile.Kind = .regular, random: inout some RandomNumberGenerator
  ) throws -> SaltedFileIdent { .none }

  /// What is known of a client file; nil when the ident was never given out.
  public func clientFile(_ ident: FileIdent) throws -> ClientFile? { nil }

  /// Merges, applies and appends what clients uploaded, in one commit, durable on return.
  ///
  /// Every changeset becomes one server version, even if nothing is left of it. A batch with a bad changeset is left
  /// out as a whole, as are later batches of the same file in this call; the others proceed.
  ///
  /// - Returns: what became of each batch, in order.
  /// - Throws: ``Realm/Error`` when the disk fails; nothing is then integrated.
  public func integrate(_ batches: [UploadBatch]) throws -> [UploadOutcome] { batches.map { _ in .integrated } }

  /// What a client is to be sent, from its cursor on.
  ///
  /// Changesets that came from the client itself are skipped and move the client half of the cursor; empty ones are
  /// skipped.
  ///
  /// - Parameters:
  ///   - file: the receiving client.
  ///   - cursor: where its previous scan stopped.
  ///   - byteLimit: stop adding when this many bytes are collected; at least one changeset is taken.
  public func scan(for file: FileIdent, from cursor: DownloadCursor, byteLimit: Int) throws -> HistoryScan {
    HistoryScan(entries: [], progress: SyncProgress(), remainingBytes: 0, reachedEnd: true)
  }
}
