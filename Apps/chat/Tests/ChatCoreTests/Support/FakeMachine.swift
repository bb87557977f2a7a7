import CommandLineKit
import Foundation
@testable import ChatCore

/// A machine with a store in memory and a server that answers as told, for tests of commands.
final class FakeMachine: @unchecked Sendable {
  // Used by one test on one thread at a time; closures of the tool must be Sendable, so this must be too.
  var store = Cast.store()
  var input = ""
  var log: [String] = []
  /// The minutes that have passed: one for each look at the clock.
  var minutes = 59
  /// The writes that the server refuses of the next upload.
  var refusing: [Refusal] = []
  var output = ""
  var errors = ""

  /// Runs `chat` with some words.
  @discardableResult
  func run(_ words: String...) -> ExitCode { run(words) }

  /// The same.
  @discardableResult
  func run(_ words: [String]) -> ExitCode {
    (output, errors) = ("", "")
    let tool = ChatTool(
      backend: { [self] options in FakeBackend(machine: self, options: options) },
      screen: { [self] _, room in log.append("screen \(room ?? "-")") },
      read: { [self] in Array(input.utf8) },
      now: { [self] in
        minutes += 1
        return Cast.date(minutes)
      }, zone: { _ in 0 })
    let console = Console(
      output: { [self] text in output += text }, errors: { [self] text in errors += text })
    return tool.command.runSynchronously(words, environment: [:], console: console)
  }
}

struct FakeBackend: ChatBackend {
  let machine: FakeMachine
  let options: BackendOptions

  func open() throws -> any ChatStore {
    machine.store.refusing = machine.refusing
    return machine.store
  }
  func checkLogin() throws {
    guard options.user != nil else { throw CommandFailure("no user is named", remedy: "give '--user NAME'") }
  }
  func login(password: String, register: Bool) throws -> String {
    machine.log.append("login \(options.user ?? "-") \(register)")
    return "\(options.user ?? "-")@host"
  }
  func logout() throws { machine.log.append("logout") }
  func setOffline(_ isOffline: Bool) throws { machine.store.setOffline(isOffline) }
}
