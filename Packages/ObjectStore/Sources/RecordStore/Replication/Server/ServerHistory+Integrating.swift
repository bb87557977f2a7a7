public import ChangesetOT
import DataModel
import Permissions
import StorageEngine

extension ServerHistory {
  /// Merges, applies and appends what clients uploaded, in one commit, durable on return.
  ///
  /// Every changeset becomes one server version, even if nothing is left of it. A batch with a bad changeset is left
  /// out as a whole, as are later batches of the same file in this call; the others proceed. Writes outside of the queries
  /// of a batch are left out one by one.
  ///
  /// - Returns: what became of each batch, in order.
  /// - Throws: ``RecordStoreError`` when the disk fails; nothing is then integrated.
  public func integrate(_ batches: [UploadBatch]) throws -> [UploadOutcome] {
    try integrate(batches) { AdmissionAttempt($0) }
  }

  /// The same.
  ///
  /// - Parameter attempt: how a batch is first judged.
  func integrate(_ batches: [UploadBatch], _ attempt: (UploadBatch) -> AdmissionAttempt) throws -> [UploadOutcome] {
    var refusals: [Int: UploadRefusal] = [:]
    var undone: [Int: UndoneUpload] = [:]
    var outside: [Int: [RefusedPart: Refused]] = [:]
    var attempts = batches.map(attempt)
    var past = UploadPast()
    while true {
      // The attempts at one batch take nothing from another, of which nothing is refused.
      for number in batches.indices where outside[number] == nil { attempts[number] = attempt(batches[number]) }
      var known = writeSets.withLock { writeSets in
        defer { writeSets = RecentWriteSets() }
        return writeSets
      }
      var late: [Int: [RefusedPart: Refused]] = [:]
      var settled: PermissionState?
      do {
        let (first, appended) = try file.write(isRecorded: false) { session in
          var integration = try ServerIntegration(
            session, incarnation: incarnation, writeSets: known, permissions: permissions.withLock { $0 }, views: views,
            past: past)
          // Held once only while it grows.
          (known, past) = (RecentWriteSets(), UploadPast())
          defer { (known, past) = (integration.writeSets, integration.past) }
          for (number, batch) in batches.enumerated() where refusals[number] == nil {
            do {
              undone[number] = try integration.integrate(
                batch, refused: outside[number] ?? [:], attempts[number])
            } catch let refusal as UploadRefusal {
              integration.forgetWhatIsNew()
              throw RefusedBatch(number: number, refusal: refusal)
            }
            guard integration.late.isEmpty else {
              // The batches behind it meet what it should not have done: they are looked at in the next attempt.
              late[number] = integration.late
              attempts[number].fail(with: integration.late)
              break
            }
          }
          if !late.isEmpty {
            integration.forgetWhatIsNew()
            throw LateRefusals()
          }
          settled = integration.permissions
          return integration.finish()
        }
        if !appended.isEmpty {
          let version = ServerVersion(UInt64(first) + UInt64(appended.count) - 1)
          // Of a realm that got its classes of permissions just now they are read when they are asked for.
          let isKnown = try settled != nil || file.latestReadView().catalog[PermissionClass.realm.rawValue] == nil
          permissions.withLock { $0 = isKnown ? KnownPermissions(version: version, state: settled) : nil }
        }
        for batch in batches { views.forgetFlips(of: batch.file, through: batch.progress.server) }
        writeSets.withLock { $0 = known }
        // Every session asks for them next.
        if !appended.isEmpty { served.withLock { $0.insert(appended, from: first) } }
        return batches.indices.map { number in
          if let refusal = refusals[number] { return .refused(refusal) }
          return undone[number].map { .undone($0) } ?? .integrated
        }
      } catch is LateRefusals {
        writeSets.withLock { $0 = known }
        for (number, refused) in late {
          outside[number, default: [:]].merge(refused)
        }
      } catch let refused as RefusedBatch {
        // The transaction is gone with everything in it; the next attempt leaves the offender out.
        writeSets.withLock { $0 = known }
        let file = batches[refused.number].file
        for number in refused.number..<batches.count where batches[number].file == file && refusals[number] == nil {
          refusals[number] = refused.refusal
        }
      }
    }
  }

  private struct LateRefusals: Error {}

  private struct RefusedBatch: Error {
    let number: Int
    let refusal: UploadRefusal
  }
}
