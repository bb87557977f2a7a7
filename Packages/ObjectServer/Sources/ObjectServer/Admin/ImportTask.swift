import ByteCoding
import DataExchange
import DataModel

/// An import into a realm of a running server. The file is checked first, and then written in batches, each a job of the realm:
/// other writers get their turn between them, and each batch is judged by the rights that its user has then.
// @unchecked Sendable: its parts run one after the other.
final class ImportTask: @unchecked Sendable {
  private let settings: RealmImport
  private let call: AdminCall
  private let task: AdminTasks.Task
  private let path: String
  private var schema = Schema()
  private var batches: BatchedImport?
  /// The counts of the batches that were committed.
  private var written = ImportReport()

  private var services: AdminServices { call.services }

  init(_ settings: RealmImport, of call: AdminCall, _ task: AdminTasks.Task) {
    self.settings = settings
    self.call = call
    self.task = task
    path = call.body["path"]?.string ?? ""
  }

  /// Reads the classes of the realm, checks the file, and writes it. On the loop.
  func begin() {
    AdminOperation.inRealm(call, path, { self.go(on: $0, with: self.check) }) { [self] target, history in
      schema = try history.readableContents(by: target.access).contents.schema
      return (nil, false)
    }
  }

  private func check() {
    services.context.perform(.importing) { [self] () -> Result<JSONValue?, APIError> in
      do {
        batches = try BatchedImport(settings, into: schema) { [self] progress in
          try checkCancelled()
          services.tasks.progress(task, progress)
        }
        return .success(nil)
      } catch {
        return .failure(AdminOperation.refusal(error, services))
      }
    } then: { [self] (result: Result<Result<JSONValue?, APIError>, Never>) in
      if case .success(let result) = result { go(on: result, with: write) }
    }
  }

  /// Writes a batch, and then the next one.
  private func write() {
    AdminOperation.inRealm(call, path, { self.go(on: $0, with: $0.hasMore ? self.write : self.end) }) {
      [self] target, history in
      guard let batches else { return (.bool(false), false) }
      try checkCancelled()
      let hasMore = try history.edit(by: target.access) { editor in
        let before = Set(editor.schema.objectSchema.map(\.className))
        let hasMore = try batches.writeBatch(in: editor)
        try editor.openPermissions(
          ofClasses: editor.schema.objectSchema.map(\.className).filter { !before.contains($0) })
        return hasMore
      }
      written = batches.report
      return (.bool(hasMore), true)
    }
  }

  private func go(on result: Result<JSONValue?, APIError>, with next: () -> Void) {
    guard case .failure(let error) = result else { return next() }
    let count = written.created + written.updated
    end(.failed, count == 0 ? error.message : "\(error.message); what was written before stays: \(counts)")
  }

  private func checkCancelled() throws(APIError) {
    guard services.tasks.task(task.number)?.isCancelled != true else {
      throw APIError(409, .realmConflict, "the task was ended by an administrator")
    }
  }

  private func end() { end(.done, counts) }

  private func end(_ state: AdminTasks.State, _ message: String) {
    services.tasks.note(written.problems.map(\.withoutFile), of: task)
    services.tasks.end(task, state, message, services.logger)
  }

  private var counts: String { "\(written.created) created, \(written.updated) updated, \(written.skipped) left out" }
}

extension Result<JSONValue?, APIError> {
  /// Whether a batch is not the last one.
  fileprivate var hasMore: Bool {
    if case .success(let value) = self { value?.bool ?? false } else { false }
  }
}
