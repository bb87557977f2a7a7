import CommandLineKit
import Foundation

/// The state of an edit after its commit.
enum EditState {
  /// The server has it, or there is no server.
  case done
  /// Only this machine has the edit so far.
  case savedHere

  /// Words after the report of a success.
  var note: ConsoleText { self == .done ? "" : "; saved here, not yet uploaded" }
}

/// The commands of the app.
public struct TodoTool: Sendable {
  /// Makes the backend for the options of a command line.
  let backend: @Sendable (BackendOptions) throws -> any TodoBackend
  /// Runs the screen over a store until the user quits.
  let screen: @Sendable (any SyncedStore, _ list: String?) throws -> Void
  /// Reads a file, or standard input for `-`.
  let read: @Sendable (String) throws -> [UInt8]
  /// Writes a file.
  let write: @Sendable (String, String) throws -> Void
  let now: @Sendable () -> Date
  let today: @Sendable () -> Day

  /// The commands over everything that they do.
  public init(
    backend: @escaping @Sendable (BackendOptions) throws -> any TodoBackend,
    screen: @escaping @Sendable (any SyncedStore, String?) throws -> Void,
    read: @escaping @Sendable (String) throws -> [UInt8],
    write: @escaping @Sendable (String, String) throws -> Void,
    now: @escaping @Sendable () -> Date,
    today: @escaping @Sendable () -> Day
  ) {
    (self.backend, self.screen, self.read, self.write) = (backend, screen, read, write)
    (self.now, self.today) = (now, today)
  }

  /// The command `todo` with all subcommands.
  public var command: Command {
    Command(
      "todo", summary: "Keep lists of things to do, alone or together, online or offline.",
      discussion: """

        Without a command it opens the screen. Lists are kept on this machine and, after 'todo login', in step \
        with a server and with everybody with whom they are shared.

          todo add "(A) Buy milk due:tomorrow" --list Groceries
          todo import todo.txt
          todo list --json
        """,
      version: Release.version,
      options: [
        .value(
          "server", valueName: "URL", kind: .nonEmptyText, help: "The server to log in to.", environment: "REALM_SERVER"
        ),
        .value(
          "user", short: "u", valueName: "NAME", kind: .nonEmptyText, help: "Who you are.", environment: "REALM_USER"),
        .value(
          "list", short: "l", valueName: "NAME", kind: .nonEmptyText, help: "The list to work on (else the first)."),
        .value(
          "of", valueName: "USER", kind: .nonEmptyText, help: "Work on the lists that this user has shared with you."),
        .value(
          "data", valueName: "DIR", kind: .path,
          help: "Where lists are kept (else $XDG_STATE_HOME/openrealm or ~/.local/state/openrealm)."),
        .value(
          "ca", valueName: "FILE", kind: .nonEmptyText,
          help: "The authority, or certificate, that proves the server; otherwise those that the system trusts.",
          environment: "REALM_CA"),
        .value(
          "wait", valueName: "SECONDS", kind: .number, help: "How long to wait for the server.", defaultValue: "5"),
      ],
      subcommands: [
        add, done, edit, move, remove, list, lists, watch, importFile, exportFile, share, who, login, logout, offline,
        online, status, sync,
      ]
    ) { invocation, _ in
      try withStore(invocation) { store in try screen(store, invocation.text("list")) }
    }
  }

  /// The commands that make no folder.
  private static let reading: Set<String> = [
    "list", "lists", "export", "status", "watch", "share", "who", "logout", "sync",
  ]

  func options(_ invocation: Invocation) -> BackendOptions {
    BackendOptions(
      server: invocation.text("server"), user: invocation.text("user"), data: invocation.text("data"),
      certificates: invocation.text("ca"), environment: Environment.current,
      isReading: Self.reading.contains(invocation.path.last ?? ""))
  }

  /// Opens the store that the options mean, and closes it afterwards.
  func withStore<Result>(_ invocation: Invocation, _ body: (any SyncedStore) throws -> Result) throws -> Result {
    let store = try backend(options(invocation)).open(listsOf: invocation.text("of"))
    defer { store.close() }
    do {
      return try body(store)
    } catch let error as EditError {
      throw CommandFailure("\(error)")
    } catch let error as ItemSelector.Failure {
      throw CommandFailure("\(error)")
    }
  }

  /// Brings what the server has, then reads. Says so where the lists may be out of date.
  func readBoard(_ store: any SyncedStore, _ invocation: Invocation, _ console: Console) throws -> Board {
    switch store.wait(for: .download, seconds: invocation.number("wait") ?? 5, isPatient: false) {
    case .done, .notSyncing: break
    case .disconnected: console.note("note: the server cannot be reached; what you see may be out of date")
    case .notServed(let problem):
      console.note("note: \(problem.message); what you see may be out of date\n  to do: \(problem.remedy)")
    case .timedOut: console.note("note: the server is slow; what you see may be out of date")
    case .failed(let problem): throw CommandFailure(problem.message, remedy: problem.remedy)
    }
    return try store.board()
  }

  /// Performs an edit, waits for its upload, and says what became of it.
  ///
  /// - Parameter report: prints the success. It is told whether the server has the edit: nothing else is called done.
  /// - Throws: `CommandFailure` with the rule when the user may only read, before or after the server says so.
  func perform(
    _ edit: TodoEdit, _ store: any SyncedStore, _ invocation: Invocation, _ console: Console,
    report: (_ state: EditState) throws -> Void
  ) throws {
    store.accessCheck()()
    if let access = store.status.access, !access.mayEdit { throw CommandFailure(access.rule) }
    _ = try store.perform(edit)
    let isUploaded = try waitForUpload(store, invocation, console)
    try checkRefusals(store)
    try report(isUploaded ? .done : .savedHere)
  }

  /// Fails when the server has refused something since the store was opened.
  private func checkRefusals(_ store: any SyncedStore) throws {
    let status = store.status
    guard let first = status.refused.first else { return }
    throw CommandFailure(
      "the server took nothing of it: " + (status.access?.rule ?? first.reason),
      remedy: "what you see is again what the server has")
  }

  /// Waits until the server has everything.
  ///
  /// - Returns: whether it has, or there is no server.
  @discardableResult
  func waitForUpload(_ store: any SyncedStore, _ invocation: Invocation, _ console: Console) throws -> Bool {
    let outcome = store.wait(for: .upload, seconds: invocation.number("wait") ?? 5, isPatient: false)
    let pending = max(1, store.status.pendingUploads)
    let changes = pending == 1 ? "1 change waits" : "\(pending) changes wait"
    switch outcome {
    case .done: return true
    case .notSyncing:
      guard store.status.connection == .offline else { return true }
      console.note("note: offline; \(changes) for 'todo online'")
    case .disconnected:
      console.note("note: the server cannot be reached; \(changes) on this machine for the next connection")
    case .notServed(let problem):
      console.note("note: \(problem.message); \(changes) on this machine\n  to do: \(problem.remedy)")
    case .timedOut: console.note("note: the server is slow; \(changes) on this machine; 'todo sync' waits for it")
    case .failed(let problem): throw CommandFailure(problem.message, remedy: problem.remedy)
    }
    return false
  }

  /// Random numbers for keys.
  func numbers() -> SystemRandomNumberGenerator { SystemRandomNumberGenerator() }
}
