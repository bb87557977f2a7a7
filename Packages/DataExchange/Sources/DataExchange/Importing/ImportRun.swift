import DataModel
import RecordStore

/// One import in steps, each within a transaction of its own, or all within one.
///
/// Objects are made in one walk over the source. Where a class has links, a second walk sets them: every object is there then.
final class ImportRun {
  private enum Stage { case making, linking, done }

  private let source: any RecordSource
  private let schema: Schema
  private let skipsBadObjects: Bool
  private let steps: ExchangeSteps
  /// The properties by class that the second walk sets.
  private let links: [String: Set<String>]
  private var stage = Stage.making
  private var reader: any RecordReader
  /// The keys that objects without one got, in the order of the source.
  private var made: ArraySlice<ObjectKey> = []
  /// The counts so far.
  private(set) var report = ImportReport()

  /// - Parameter schema: the classes of the realm, with those that the import adds.
  init(_ source: any RecordSource, _ schema: Schema, skipsBadObjects: Bool, _ steps: ExchangeSteps) throws {
    self.source = source
    self.schema = schema
    self.skipsBadObjects = skipsBadObjects
    self.steps = steps
    var links: [String: Set<String>] = [:]
    for object in schema.objectSchema {
      let found = object.properties.filter { $0.type == .object || $0.type == .any }.map(\.name)
      if !found.isEmpty { links[object.className] = Set(found) }
    }
    self.links = links
    reader = try source.records(schema)
    steps.begin(links.isEmpty ? .writing : .findingKeys)
  }

  /// Goes on until the transaction has enough.
  ///
  /// - Parameters:
  ///   - mostObjects: the most objects that are looked at.
  ///   - mostBytes: the bytes of recorded changes behind which no further object is begun.
  /// - Returns: whether there is more to do.
  /// - Throws: as ``RealmImport/run(into:progress:)``; the import cannot go on then.
  func step(in editor: RealmEditor, mostObjects: Int, mostBytes: Int) throws -> Bool {
    var count = 0
    while stage != .done, count < mostObjects, editor.recordedBytes < mostBytes {
      if let record = try reader.next() {
        count += 1
        try steps.step(offset: record.offset)
        if stage == .making { try make(record, editor) } else { try link(record, editor) }
      } else {
        try endWalk()
      }
    }
    return stage != .done
  }

  /// Reads everything without writing, for what does not fit.
  ///
  /// - Throws: ``ExchangeError`` of the first object that does not fit, unless such objects are left out; the errors of reading.
  func check() throws {
    let reader = try source.records(schema)
    steps.begin(.checking)
    while let record = try reader.next() {
      try steps.step(offset: record.offset)
      if !skipsBadObjects { _ = try record.fields.get() }
    }
    steps.begin(links.isEmpty ? .writing : .findingKeys)
  }

  private func endWalk() throws {
    guard stage == .making, !links.isEmpty else { return stage = .done }
    stage = .linking
    reader = try source.records(schema)
    steps.begin(.writing)
  }

  /// Makes the object of a record, counts it, and sets what links to nothing. One that does not fit is left out.
  private func make(_ record: IncomingRecord, _ editor: RealmEditor) throws {
    if case .failure(let problem) = record.fields {
      guard skipsBadObjects else { throw problem }
      report.skipped += 1
      if report.problems.count < 1000 { report.problems.append(problem) }
      return
    }
    let key = try record.key ?? editor.makeKey(for: record.className)
    if record.key == nil, !links.isEmpty { made.append(key) }
    let object = ObjectReference(className: record.className, key: key)
    if try locating(record, { try editor.create(object) }) { report.created += 1 } else { report.updated += 1 }
    try set(record, object, editor) { $0?.contains($1) != true }
  }

  /// Sets the links of the object of a record.
  private func link(_ record: IncomingRecord, _ editor: RealmEditor) throws {
    guard case .success = record.fields else { return }
    guard let key = record.key ?? made.popFirst(), links[record.className] != nil else { return }
    let object = ObjectReference(className: record.className, key: key)
    // Another writer may have erased it between two transactions.
    guard try editor.contains(object) else { return }
    try set(record, object, editor) { $0?.contains($1) == true }
  }

  private func set(
    _ record: IncomingRecord, _ object: ObjectReference, _ editor: RealmEditor,
    _ isMeant: (Set<String>?, String) -> Bool
  ) throws {
    let later = links[record.className]
    let fields = try record.fields.get().filter { isMeant(later, $0.key) }
    if !fields.isEmpty { try locating(record) { try editor.set(fields, of: object) } }
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
