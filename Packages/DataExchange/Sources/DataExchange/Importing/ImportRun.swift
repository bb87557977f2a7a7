import DataModel
import RecordStore

/// One import within its transaction.
struct ImportRun {
  private let source: any RecordSource
  private let editor: RealmEditor
  private let skipsBadObjects: Bool

  init(_ source: any RecordSource, _ editor: RealmEditor, _ skipsBadObjects: Bool) {
    self.source = source
    self.editor = editor
    self.skipsBadObjects = skipsBadObjects
  }

  /// Makes the objects and sets their fields: in one walk where no object can link to a later one, else in two.
  func run(_ steps: ExchangeSteps) throws -> ImportReport {
    let schema = editor.schema
    let hasLinks = schema.objectSchema.contains { object in
      object.properties.contains { $0.type == .object || $0.type == .any }
    }
    var report = ImportReport()
    var made: [ObjectKey] = []
    steps.begin(hasLinks ? .findingKeys : .writing)
    try source.forEachRecord(schema) { record in
      try steps.step(offset: record.offset)
      guard let reference = try create(record, &report) else { return }
      guard hasLinks else { return try set(record, reference) }
      if record.key == nil { made.append(reference.key) }
    }
    guard hasLinks else { return report }
    var next = 0
    steps.begin(.writing)
    try source.forEachRecord(schema) { record in
      try steps.step(offset: record.offset)
      guard case .success = record.fields else { return }
      var key = record.key
      if key == nil, next < made.count {
        key = made[next]
        next += 1
      }
      if let key { try set(record, ObjectReference(className: record.className, key: key)) }
    }
    return report
  }

  /// Makes the object of a record, and counts it.
  ///
  /// - Returns: nil for one that does not fit and is left out.
  private func create(_ record: IncomingRecord, _ report: inout ImportReport) throws -> ObjectReference? {
    if case .failure(let problem) = record.fields {
      guard skipsBadObjects else { throw problem }
      report.skipped += 1
      if report.problems.count < 1000 { report.problems.append(problem) }
      return nil
    }
    let key = try record.key ?? editor.makeKey(for: record.className)
    let reference = ObjectReference(className: record.className, key: key)
    if try locating(record, { try editor.create(reference) }) { report.created += 1 } else { report.updated += 1 }
    return reference
  }

  private func set(_ record: IncomingRecord, _ reference: ObjectReference) throws {
    guard case .success(let fields) = record.fields else { return }
    try locating(record) { try editor.set(fields, of: reference) }
  }

  /// Runs an edit; a refusal of the realm is thrown with its place in the file.
  private func locating<R>(_ record: IncomingRecord, _ body: () throws -> R) throws -> R {
    do { return try body() } catch let error as RecordStoreError where error.code == .invalidInput {
      var located = record.origin
      located.message = error.message
      throw located
    }
  }
}
