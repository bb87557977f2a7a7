import ChangesetOT
import GraphQL
import QueryLanguage
import RecordStore

/// Lists that subscribers were sent.
extension LiveQueries {
  /// Keeps a list that subscribers were sent, and makes its token.
  func remember(_ rows: [QueryRow], for cohort: LiveCohort) {
    keep(rows, in: cohort)
    guard let follower else { return }
    cohort.token = tokens.add(
      .init(
        rows: rows, position: follower.position, className: cohort.type.className,
        schemaRevision: follower.contents.schemaRevision))
  }

  /// Keeps a list to compare the next one with, as long as all lists fit into ``mostRows``.
  func keep(_ rows: [QueryRow]?, in cohort: LiveCohort) {
    rowCount -= cohort.rows?.count ?? 0
    cohort.rows = rows.flatMap { rowCount + $0.count <= Self.mostRows ? $0 : nil }
    rowCount += cohort.rows?.count ?? 0
  }

  /// The changes since a token that the subscriber brings; nil when they are not known.
  func resume(
    _ cohort: LiveCohort, _ rows: [QueryRow], _ reading: RealmReading, _ history: ServerHistory
  ) throws -> ChangesBatch? {
    guard let token = cohort.call.arguments["resumeFrom"]?.string, let state = tokens[token], let follower,
      state.className == cohort.type.className, state.schemaRevision == follower.contents.schemaRevision,
      state.position.salt == follower.position.salt,
      let touched = try history.touchedObjects(
        after: state.position.version, through: follower.position.version, byteLimit: 1 << 20)
    else { return nil }
    return changes(
      cohort, reading, from: state.rows, to: rows, try touchedRows(Array(touched.keys), cohort, reading))
  }
}
