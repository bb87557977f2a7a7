public import CommandLineKit
public import Foundation

/// The state of an edit after its commit.
enum EditState {
  /// The server has it.
  case done
  /// Only this machine has the edit so far.
  case savedHere

  /// Words after the report of a success.
  var note: ConsoleText { self == .done ? "" : "; written here, not yet sent" }
}

/// The commands of the app.
public struct ChatTool: Sendable {
  /// Makes the backend for the options of a command line.
  let backend: @Sendable (BackendOptions) throws -> any ChatBackend
  /// Runs the screen over a store until the user quits.
  let screen: @Sendable (any ChatStore, _ room: String?) throws -> Void
  /// Reads standard input.
  let readInput: @Sendable () throws -> [UInt8]
  let now: @Sendable () -> Date
  /// The seconds by which local time is ahead of UTC at a date.
  let zone: @Sendable (Date) -> Int

  /// The commands over everything that they do.
  public init(
    backend: @escaping @Sendable (BackendOptions) throws -> any ChatBackend,
    screen: @escaping @Sendable (any ChatStore, String?) throws -> Void,
    read: @escaping @Sendable () throws -> [UInt8],
    now: @escaping @Sendable () -> Date,
    zone: @escaping @Sendable (Date) -> Int
  ) {
    (self.backend, self.screen, self.readInput, self.now, self.zone) = (backend, screen, read, now, zone)
  }

  /// The command `chat` with all subcommands.
  public var command: Command {
    Command(
      "chat", summary: "Talk in public and private rooms, online or offline.",
      discussion: """

        Without a command it opens the screen. Messages are written on this machine first and sent when the server can \
        be reached. Who may see a private room is decided by the server.

          chat login --server http://localhost:9080 --user ann --register
          chat create-room plans --private
          chat invite plans bob --write
          chat send plans "Friday at nine?"
          chat read plans --json
        """,
      version: Release.version,
      options: [
        .value(
          "server", valueName: "URL", kind: .nonEmptyText, help: "The server to log in to.", environment: "REALM_SERVER"
        ),
        .value(
          "user", short: "u", valueName: "NAME", kind: .nonEmptyText, help: "Who you are.", environment: "REALM_USER"),
        .value(
          "data", valueName: "DIR", kind: .path,
          help: "Where rooms are kept (else $XDG_STATE_HOME/openrealm or ~/.local/state/openrealm)."),
        .value(
          "ca", valueName: "FILE", kind: .nonEmptyText,
          help: "The authority, or certificate, that proves the server; otherwise those that the system trusts.",
          environment: "REALM_CA"),
        .value(
          "wait", valueName: "SECONDS", kind: .number, help: "How long to wait for the server.", defaultValue: "5"),
      ],
      subcommands: [
        openRoom, rooms, createRoom, people, members, invite, grant, revoke, pass, send, read, search, react, watch,
        settings,
        login, logout, offline, online, status, lockdown,
      ]
    ) { invocation, _ in
      try withStore(invocation) { store in try screen(store, nil) }
    }
  }

  private var openRoom: Command {
    Command(
      "open", summary: "Open the screen in a room.",
      arguments: [.one("room", kind: .nonEmptyText, help: "The name or key of the room.")]
    ) { invocation, console in
      try withStore(invocation) { store in
        let (_, room) = try open(invocation.argument("room") ?? "", store, invocation, console)
        try screen(store, room.key)
      }
    }
  }

  /// The commands that make no folder.
  private static let reading: Set<String> = [
    "rooms", "people", "members", "read", "search", "watch", "status", "logout",
  ]

  func options(_ invocation: Invocation) -> BackendOptions {
    BackendOptions(
      server: invocation.text("server"), user: invocation.text("user"), data: invocation.text("data"),
      certificates: invocation.text("ca"), environment: Environment.current,
      isReading: Self.reading.contains(invocation.path.last ?? ""))
  }

  func seconds(_ invocation: Invocation) -> Double { invocation.number("wait") ?? 5 }

  /// Opens the store that the options mean, and closes it afterwards.
  func withStore<Result>(_ invocation: Invocation, _ body: (any ChatStore) throws -> Result) throws -> Result {
    let store = try backend(options(invocation)).open()
    defer { store.close() }
    do {
      return try body(store)
    } catch let error as EditError {
      throw CommandFailure("\(error)")
    } catch let error as RoomSelector.Failure {
      throw CommandFailure("\(error)")
    }
  }

  /// Brings what the server has, then reads. Says so where it may be out of date.
  func refresh(_ store: any ChatStore, _ invocation: Invocation, _ console: Console) throws -> ChatSnapshot {
    switch store.wait(for: .download, seconds: seconds(invocation), isPatient: false) {
    case .done, .notSyncing: break
    case .disconnected: console.note("note: the server cannot be reached; what you see may be out of date")
    case .notServed(let problem):
      console.note("note: \(problem.message); what you see may be out of date\n  to do: \(problem.remedy)")
    case .timedOut: console.note("note: the server is slow; what you see may be out of date")
    case .failed(let problem): throw CommandFailure(problem.message, remedy: problem.remedy)
    }
    return try store.snapshot()
  }

  /// The room that a word means, with its newest pages.
  func open(
    _ word: String, _ store: any ChatStore, _ invocation: Invocation, _ console: Console
  ) throws -> (chat: ChatSnapshot, room: Room) {
    // A room that this device knows needs no server to be found.
    let known = try store.snapshot()
    let chat = (try? RoomSelector.room(word, in: known)) == nil ? try refresh(store, invocation, console) : known
    let room = try RoomSelector.room(word, in: chat)
    try store.open(room: room.key)
    let fresh = try refresh(store, invocation, console)
    return (fresh, fresh.room(room.key) ?? room)
  }

  /// Performs an edit, waits for its upload, and says what became of it.
  ///
  /// - Parameter report: prints the success. It is told whether the server has the edit: nothing else is called done.
  /// - Throws: `CommandFailure` with the reason when the server refuses it.
  func perform(
    _ edit: ChatEdit, _ store: any ChatStore, _ invocation: Invocation, _ console: Console,
    report: (_ state: EditState) throws -> Void
  ) throws {
    let before = store.status.refusals.count
    try store.perform(edit)
    let isSent = try waitForUpload(store, invocation, console)
    if let refusal = store.status.refusals.dropFirst(before).first {
      throw CommandFailure(
        "the server refused it: \(refusal.reason)", remedy: "ask an administrator of the room for the right")
    }
    try report(isSent ? .done : .savedHere)
  }

  /// Waits until the server has everything.
  ///
  /// - Returns: whether it has.
  @discardableResult
  func waitForUpload(_ store: any ChatStore, _ invocation: Invocation, _ console: Console) throws -> Bool {
    let outcome = store.wait(for: .upload, seconds: seconds(invocation), isPatient: false)
    switch outcome {
    case .done: return true
    case .notSyncing: console.note("note: offline; it waits for 'chat online'")
    case .disconnected: console.note("note: the server cannot be reached; it waits on this machine")
    case .notServed(let problem):
      console.note("note: \(problem.message); it waits on this machine\n  to do: \(problem.remedy)")
    case .timedOut: console.note("note: the server is slow; it waits on this machine")
    case .failed(let problem): throw CommandFailure(problem.message, remedy: problem.remedy)
    }
    return false
  }

  /// Random numbers for keys.
  func numbers() -> SystemRandomNumberGenerator { SystemRandomNumberGenerator() }
}
