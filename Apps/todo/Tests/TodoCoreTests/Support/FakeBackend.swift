import CommandLineKit
import Foundation
import Synchronization
@testable import TodoCore

/// A machine with a store in memory and a server that answers as told, for tests of commands.
final class FakeMachine: @unchecked Sendable {
  // Used by one test on one thread at a time; closures of the tool must be Sendable, so this must be too.
  var store = MemoryTodoStore()
  var status = StoreStatus(connection: .connected, account: "ann@host")
  var upload = WaitOutcome.done
  var download = WaitOutcome.done
  var files: [String: [UInt8]] = [:]
  var log: [String] = []
  /// The number of questions to the server for the user's rights.
  var checks = 0
  var users: [ListUser] = []
  /// The writes of the next edit that the server refuses.
  var refusing: [RefusedWrite] = []
  var changed: (@Sendable () -> Void)?
  var output = ""
  var errors = ""

  /// Runs `todo` with some words.
  @discardableResult
  func run(_ words: String...) -> ExitCode { run(words) }

  /// The same.
  @discardableResult
  func run(_ words: [String]) -> ExitCode {
    (output, errors) = ("", "")
    let tool = TodoTool(
      backend: { [self] options in FakeBackend(machine: self, options: options) },
      screen: { [self] _, list in log.append("screen \(list ?? "-")") },
      read: { [self] name in
        guard let bytes = files[name] else { throw CommandFailure("cannot read '\(name)': no such file") }
        return bytes
      },
      write: { [self] name, text in files[name] = Array(text.utf8) },
      now: { Day(text: "2026-11-20")?.date ?? Date() },
      today: { Day(text: "2026-11-20") ?? Day(number: 0) })
    let console = Console(
      output: { [self] text in output += text }, errors: { [self] text in errors += text })
    return tool.command.runSynchronously(words, environment: [:], console: console)
  }

  var titles: [[String]] { store.board().lists.map { $0.items.map(\.title) } }
}

struct FakeBackend: TodoBackend {
  let machine: FakeMachine
  let options: BackendOptions
  var isOffline: Bool { machine.status.connection == .offline }

  func open(listsOf owner: String?) throws -> any SyncedStore {
    if let owner { machine.log.append("open \(owner)") }
    return FakeStore(machine: machine)
  }
  func checkLogin() throws {
    guard options.user != nil else { throw CommandFailure("no user is named", remedy: "give '--user NAME'") }
  }
  func login(password: String, register: Bool) throws -> String {
    machine.log.append("login \(options.user ?? "-") \(register)")
    return "\(options.user ?? "-")@host"
  }
  func logout() throws { machine.log.append("logout") }
  func setOffline(_ isOffline: Bool) throws { machine.status.connection = isOffline ? .offline : .connected }
}

final class FakeStore: SyncedStore {
  let machine: FakeMachine
  init(machine: FakeMachine) { self.machine = machine }

  var status: StoreStatus { machine.status }
  func board() throws -> Board { machine.store.board() }
  func perform(_ edit: TodoEdit) throws -> Performed {
    machine.status.refused += machine.refusing
    return try machine.store.perform(edit)
  }
  func onChange(_ changed: @escaping @Sendable () -> Void) { machine.changed = changed }
  func wait(for direction: WaitDirection, seconds: Double, isPatient: Bool) -> WaitOutcome {
    direction == .upload ? machine.upload : machine.download
  }
  func setOffline(_ isOffline: Bool) throws { machine.status.connection = isOffline ? .offline : .connected }
  func retry() {}
  func accessCheck() -> @Sendable () -> Void {
    let machine = machine
    return { machine.checks += 1 }
  }
  func sharing() -> @Sendable (String, Access?) throws -> Void {
    let machine = machine
    return { user, access in machine.log.append("share \(user) \(access?.rawValue ?? "none")") }
  }
  func asking() -> @Sendable () throws -> [ListUser] {
    let users = machine.users
    return { users }
  }
  func close() { machine.log.append("close") }
}
