import ChangesetOT
import DataModel
import GraphQL
import QueryLanguage
import RecordStore
import SubscriptionMatching

/// Results, whole or as changes.
extension LiveQueries {
  /// The first response of a subscriber.
  func begin(
    _ cohort: LiveCohort, _ readable: ReadableContents, _ history: ServerHistory
  ) throws -> [UInt8] {
    let reading = RealmReading(cohort.graphQL.model, readable)
    guard cohort.sendsChanges else {
      let response = run(cohort, reading, nil).bytes
      if cohort.subscribers.isEmpty { cohort.digest = response.hashValue }
      return response
    }
    do {
      let rows = try CollectionSelection(cohort.call, cohort.type, reading).rows()
      if cohort.subscribers.isEmpty { remember(rows, for: cohort) }
      var batch = try resume(cohort, rows, reading, history) ?? changes(cohort, reading, from: nil, to: rows, .rows([]))
      batch.token = cohort.token
      return run(cohort, reading, batch).bytes
    } catch let error as GraphQLError {
      return run(error, cohort)
    }
  }

  /// The response after a commit; nil when it is the one before.
  func next(
    _ cohort: LiveCohort, _ readable: ReadableContents, _ changed: [ObjectChange]?
  ) throws -> [UInt8]? {
    let reading = RealmReading(cohort.graphQL.model, readable)
    guard cohort.sendsChanges else {
      let response = run(cohort, reading, nil).bytes
      let digest = response.hashValue
      guard digest != cohort.digest else { return nil }
      cohort.digest = digest
      return response
    }
    do {
      let rows = try CollectionSelection(cohort.call, cohort.type, reading).rows()
      let touched = try changed.map { try touchedRows($0.map(\.reference), cohort, reading) }
      var batch = changes(cohort, reading, from: touched == nil ? nil : cohort.rows, to: rows, touched ?? .all)
      guard batch.hasChanges else { return nil }
      remember(rows, for: cohort)
      batch.token = cohort.token
      return run(cohort, reading, batch).bytes
    } catch let error as GraphQLError {
      return run(error, cohort)
    }
  }

  private func run(_ cohort: LiveCohort, _ reading: RealmReading, _ changes: ChangesBatch?) -> GraphQLResponse {
    evaluationCount += 1
    return cohort.operation.executeSynchronously(
      SubscriptionRootBatch(reading: reading, type: cohort.type, changes: changes), budget: budget())
  }

  private func run(_ error: GraphQLError, _ cohort: LiveCohort) -> [UInt8] {
    var error = error
    error.path = [.key(cohort.call.responseKey)]
    return GraphQLResponse(data: Array("null".utf8), errors: [error]).bytes
  }

  /// The rows of the class that commits touched. All of them, when an object of another class was touched that the selection
  /// shows: which of them show it is not known.
  func touchedRows(
    _ objects: [ObjectReference], _ cohort: LiveCohort, _ reading: RealmReading
  ) throws -> TouchedRows {
    if cohort.reach.showsMixed || objects.contains(where: { cohort.reach.classes.contains($0.className) }) {
      return .all
    }
    let table = try reading.table(cohort.type.className).table
    return .rows(
      Set(
        try objects.compactMap { object in
          object.className == cohort.type.className ? try table.row(forKey: object.key) : nil
        }))
  }

  func changes(
    _ cohort: LiveCohort, _ reading: RealmReading, from old: [QueryRow]?, to rows: [QueryRow], _ touched: TouchedRows
  ) -> ChangesBatch {
    let difference = RowChanges(from: old ?? [], to: rows)
    return ChangesBatch(
      reading: reading, type: cohort.type, rows: rows, isInitial: old == nil, deletions: difference.deletions,
      insertions: difference.insertions, modifications: difference.kept.filter { touched.contains(rows[$0]) },
      token: cohort.token)
  }
}
