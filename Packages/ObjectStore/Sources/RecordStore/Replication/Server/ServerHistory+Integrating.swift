public import ChangesetOT
import DataModel
import Permissions
import StorageEngine

extension ServerHistory {
  /// Merges, applies and appends what clients uploaded, durable on return; in one commit, unless a batch among them is refused, or something of
  /// it, as is known only after those before it were applied.
  ///
  /// Every changeset becomes one server version, even if nothing is left of it. A batch with a bad changeset is left
  /// out as a whole, as are later batches of the same file in this call; the others proceed. Writes outside of the queries
  /// of a batch are left out one by one.
  ///
  /// - Returns: what became of each batch, in order.
  /// - Throws: ``RecordStoreError`` when the disk fails; what of it is integrated then is what the client files say.
  public func integrate(_ batches: [UploadBatch]) throws -> [UploadOutcome] {
    try integrate(batches) { AdmissionAttempt($0) }
  }

  /// The same.
  ///
  /// An attempt at a batch is rolled back with all that its transaction did. So that others do not pay for the attempts at one, those before
  /// it are committed first: each batch is done twice for the attempts at others, however many these take.
  ///
  /// - Parameter attempt: how a batch is first judged.
  func integrate(_ batches: [UploadBatch], _ attempt: (UploadBatch) -> AdmissionAttempt) throws -> [UploadOutcome] {
    var refusals: [Int: UploadRefusal] = [:]
    var undone: [Int: UndoneUpload] = [:]
    var outside: [Int: [RefusedPart: Refused]] = [:]
    var attempts = batches.map(attempt)
    var past = UploadPast()
    var pending = batches.indices
    while !pending.isEmpty {
      for number in pending { attempts[number].begin() }
      var known = writeSets.withLock { writeSets in
        defer { writeSets = RecentWriteSets() }
        return writeSets
      }
      var late: (number: Int, refused: [RefusedPart: Refused])?
      var settled: PermissionState?
      do {
        let (first, appended) = try file.write(isRecorded: false) { session in
          var integration = try ServerIntegration(
            session, incarnation: incarnation, writeSets: known, permissions: permissions.withLock { $0 }, views: views,
            past: past)
          // Held once only while it grows.
          (known, past) = (RecentWriteSets(), UploadPast())
          defer { (known, past) = (integration.writeSets, integration.past) }
          for number in pending where refusals[number] == nil {
            do {
              undone[number] = try integration.integrate(
                batches[number], refused: outside[number] ?? [:], attempts[number])
            } catch let refusal as UploadRefusal {
              integration.forgetWhatIsNew()
              throw RefusedBatch(number: number, refusal: refusal)
            }
            guard integration.late.isEmpty else {
              // The batches behind it meet what it should not have done: they are looked at in the next attempt.
              late = (number, integration.late)
              integration.forgetWhatIsNew()
              throw LateRefusals()
            }
          }
          settled = integration.permissions
          return integration.finish()
        }
        try committed(first, appended, settled)
        writeSets.withLock { $0 = known }
        pending = pending.upperBound..<batches.count
      } catch is LateRefusals {
        writeSets.withLock { $0 = known }
        guard let late else { continue }
        attempts[late.number].fail(with: late.refused)
        outside[late.number, default: [:]].merge(late.refused)
        pending = pending.next(of: batches.count, before: late.number) { refusals[$0] == nil }
      } catch let refused as RefusedBatch {
        // The transaction is gone with everything in it; the next attempt leaves the offender out.
        writeSets.withLock { $0 = known }
        let file = batches[refused.number].file
        for number in refused.number..<batches.count where batches[number].file == file && refusals[number] == nil {
          refusals[number] = refused.refusal
        }
        pending = pending.next(of: batches.count, before: refused.number) { refusals[$0] == nil }
      }
    }
    for batch in batches { views.forgetFlips(of: batch.file, through: batch.progress.server) }
    return batches.indices.map { number in
      if let refusal = refusals[number] { return .refused(refusal) }
      return undone[number].map { .undone($0) } ?? .integrated
    }
  }

  /// Remembers what came with a commit.
  private func committed(_ first: Int64, _ appended: [ServerLogEntry], _ settled: PermissionState?) throws {
    guard !appended.isEmpty else { return }
    let version = ServerVersion(UInt64(first) + UInt64(appended.count) - 1)
    // Of a realm that got its classes of permissions just now they are read when they are asked for.
    let isKnown = try settled != nil || file.latestReadView().catalog[PermissionClass.realm.rawValue] == nil
    permissions.withLock { $0 = isKnown ? KnownPermissions(version: version, state: settled) : nil }
    // Every session asks for them next.
    served.withLock { $0.insert(appended, from: first) }
  }

  private struct LateRefusals: Error {}

  private struct RefusedBatch: Error {
    let number: Int
    let refusal: UploadRefusal
  }
}

extension Range<Int> {
  /// The batches of the next transaction, after one that was rolled back for one of them: those before it, or when there are none, it and
  /// all behind it.
  fileprivate func next(of count: Int, before failed: Int, where isLeft: (Int) -> Bool) -> Self {
    let first = (lowerBound..<count).first(where: isLeft) ?? count
    return first..<(failed > first ? failed : count)
  }
}
