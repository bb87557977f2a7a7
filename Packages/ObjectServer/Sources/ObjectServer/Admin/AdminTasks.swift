import DataExchange
import Synchronization
import Telemetry

/// Long operations on the data directory, which run beside serving, one at a time of each kind.
final class AdminTasks: Sendable {
  enum Kind: String, CaseIterable, Sendable {
    case backup, verify, vacuum
    case importing = "import"
    case exporting = "export"

    /// Those that a request starts by their names alone.
    static let startable: [Kind] = [.backup, .verify, .vacuum]
  }
  enum State: String, Sendable { case running, done, failed }

  struct Task: Sendable {
    var number: Int64
    var kind: Kind
    var state = State.running
    var startedAt: WallTime
    var done = 0
    var known = 0
    var message: String?
    var problems: [String] = []
    /// The file that an export writes or an import reads.
    var file: Int64?
    var isCancelled = false
  }

  /// The tasks that are remembered.
  static let remembered = 32
  /// The damage that one verification tells.
  static let maximumProblems = 100

  private struct Content {
    var tasks: [Task] = []
    var last: Int64 = 0
  }

  private let content = Mutex(Content())

  /// The last tasks, oldest first.
  var all: [Task] { content.withLock { $0.tasks } }

  func task(_ number: Int64) -> Task? { content.withLock { $0.tasks.first { $0.number == number } } }

  /// Whether a running task reads or writes a file.
  func isUsed(_ file: Int64) -> Bool { all.contains { $0.file == file && $0.state == .running } }

  func cancel(_ number: Int64) { change(number) { $0.isCancelled = true } }

  /// Starts a task on the executor.
  ///
  /// - Throws: ``APIError`` with 409 while one of its kind runs, with 400 for a name that is no folder's.
  func start(_ kind: Kind, name: String, _ files: ServerFiles, _ services: AdminServices) throws(APIError) -> Task {
    guard kind != .backup || Self.isName(name) else {
      throw APIError(400, .invalidParameter, "'name' has 1 to 64 letters, digits, dots, dashes and underscores")
    }
    let started = try begin(kind, at: services.accounts.now)
    let (number, logger) = (started.number, services.logger)
    services.context.executor.submit(to: .maintenance) { [self] in
      do throws(ServerError) {
        let (message, problems) = try run(kind, name, number, files)
        note(problems, of: started)
        end(started, .done, message, logger)
      } catch {
        end(started, .failed, "\(error.message); \(error.remedy)", logger)
      }
    }
    return started
  }

  /// Begins a task, whose work is the caller's.
  ///
  /// - Throws: ``APIError`` with 409 while one of its kind runs.
  func begin(_ kind: Kind, at now: WallTime, file: Int64? = nil) throws(APIError) -> Task {
    let started = content.withLock { content -> Task? in
      guard !content.tasks.contains(where: { $0.kind == kind && $0.state == .running }) else { return nil }
      content.last += 1
      let task = Task(number: content.last, kind: kind, startedAt: now, file: file)
      content.tasks.append(task)
      if content.tasks.count > Self.remembered, let old = content.tasks.firstIndex(where: { $0.state != .running }) {
        content.tasks.remove(at: old)
      }
      return task
    }
    guard let started else {
      throw APIError(409, .realmConflict, "a task of this kind is running: wait for it")
    }
    return started
  }

  /// Records how far an import or export is, in thousandths of its part.
  func progress(_ task: Task, _ progress: ExchangeProgress) {
    // Each object reports: most reports change nothing that is shown.
    guard progress.count & 1023 == 0 else { return }
    change(task.number) { ($0.done, $0.known) = (Int((progress.share ?? 0) * 1_000), 1_000) }
  }

  /// Records what a task found.
  func note(_ problems: [String], of task: Task) {
    change(task.number) { $0.problems = Array(problems.prefix(Self.maximumProblems)) }
  }

  /// Ends a task.
  func end(_ task: Task, _ state: State, _ message: String, _ logger: Logger) {
    change(task.number) { ($0.state, $0.message) = (state, message) }
    let fields: LogFields = ["kind": .string(task.kind.rawValue), "result": .string(message)]
    if state == .failed { logger.error("a task has failed", fields) } else { logger.info("a task has ended", fields) }
  }

  private func run(
    _ kind: Kind, _ name: String, _ number: Int64, _ files: ServerFiles
  ) throws(ServerError) -> (String, [String]) {
    let progress: ServerFiles.Progress = { done, known in self.change(number) { ($0.done, $0.known) = (done, known) } }
    switch kind {
    case .backup:
      let manifest = try files.backUp(name, progress)
      return ("\(manifest.files.count) files in \(name)", [])
    case .verify:
      let report = try files.verify(progress)
      let problems = report.problems.prefix(Self.maximumProblems).map { "\($0.file): \($0.message)" }
      return ("\(report.files) files, \(report.rows) rows, \(report.problems.count) problems", Array(problems))
    case .vacuum:
      let report = try files.vacuum(progress) { self.task(number)?.isCancelled ?? true }
      return (
        "\(report.rewritten) of \(report.looked) files rewritten, \(max(0, report.bytesBefore - report.bytesAfter)) bytes",
        []
      )
    case .importing, .exporting: return ("", [])
    }
  }

  private func change(_ number: Int64, _ body: (inout Task) -> Void) {
    content.withLock { content in
      guard let index = content.tasks.firstIndex(where: { $0.number == number }) else { return }
      body(&content.tasks[index])
    }
  }

  private static func isName(_ name: String) -> Bool {
    !name.isEmpty && name.utf8.count <= 64 && !name.hasPrefix(".")
      && name.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"):
          true
        default: false
        }
      }
  }
}
