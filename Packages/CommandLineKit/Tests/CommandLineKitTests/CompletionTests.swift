import CommandLineKit
import Foundation
import TestKit
import Testing

@Suite("Completion")
struct CompletionTests {
  @Test(
    "in bash offers what may stand at the end of a line",
    arguments: [
      (["tool", ""], "add move fail later"),
      (["tool", "m"], "move"),
      (["tool", "--"], "--port --user --verbose --tag --help --version --completions --manual"),
      (["tool", "add", "-"], "-p --port -u --user -v --verbose --tag -h --help"),
      (["tool", "move", "--f"], "--force"),
      (["tool", "-p", "80", "move", "1", "--force", "--u"], "--user"),
      (["tool", "move", "add", ""], "FILES"),
      (["tool", "add", "--tag", ""], "red green"),
      (["tool", "add", "--tag", "=", "g"], "green"),
      (["tool", "add", "--tag", "="], "red green"),
      (["tool", "add", "--tag", "red", "--ve"], "--verbose"),
      (["tool", "add", "--port", ""], ""),
      (["tool", "add", "--user", ""], "FILES"),
      (["tool", "add", "--", "--p"], "FILES"),
      (["tool", "move", ""], ""),
      (["tool", "--completions", ""], "bash zsh fish"),
    ])
  func bash(_ words: [String], _ expected: String) throws {
    let script = CompletionShell.bash.script(for: Tool.make())
    let quoted = words.map { "'\($0)'" }.joined(separator: " ")
    let ask = """
      compopt() { COMPREPLY=(FILES); }
      COMP_WORDS=(\(quoted)); COMP_CWORD=\(words.count - 1); _tool; echo "${COMPREPLY[*]}"
      """
    #expect(try Shell.run("bash", ["--norc", "-c", script + ask]) == expected + "\n")
  }

  @Test("in fish offers the same words with their help", .enabled(if: Shell.path(of: "fish") != nil))
  func fish() throws {
    func offers(_ line: String) throws -> [String] {
      let script = CompletionShell.fish.script(for: Tool.make())
      let output = try Shell.run("fish", ["--no-config", "-c", script + "complete -C '\(line)'"])
      return output.split(separator: "\n").map { String($0.replacing("\t", with: " ")) }.sorted()
    }
    #expect(try offers("tool ") == ["add Add.", "fail Fail.", "later Suspend.", "move Move."])
    #expect(try offers("tool move --f") == ["--force Do it."])
    #expect(try offers("tool add --f") == [])
    #expect(try offers("tool add --tag ") == ["green Tag.", "red Tag."])
    #expect(try offers("tool -p 80 add --v") == ["--verbose Say more."])
    #expect(try offers("tool add --completions") == [])
  }

  @Test("in zsh is a script that zsh reads", .enabled(if: Shell.path(of: "zsh") != nil))
  func zsh() throws {
    let script = CompletionShell.zsh.script(for: Tool.make())
    #expect(try Shell.run("zsh", ["-f", "-n", "-c", script]) == "")
    #expect(script.hasPrefix("#compdef tool\n"))
  }

  @Test("of every shell knows every option, command and choice", arguments: CompletionShell.allCases)
  func everything(_ shell: CompletionShell) {
    let script = shell.script(for: Tool.make())
    for name in ["port", "user", "verbose", "tag", "force", "help", "version"] {
      #expect(script.contains(shell == .fish ? "-l \(name)" : "--\(name)"))
    }
    for word in ["add", "move", "fail", "later", "red", "green"] { #expect(script.contains(word)) }
  }

  @Test("keeps quotes of help texts inside of the texts", arguments: CompletionShell.allCases)
  func quotes(_ shell: CompletionShell) throws {
    guard Shell.path(of: shell.rawValue) != nil else { return }
    let tool = Command(
      "odd-tool", summary: "It's `odd`: $(echo bad).", version: "1",
      options: [.flag("a", help: "Don't: [x] \\ $(echo bad)")],
      subcommands: [Command("x", summary: "'\"$HOME`:\\") { _, _ in }])
    let options =
      ["bash": ["--norc", "-n"], "zsh": ["-f", "-n"], "fish": ["--no-config", "-n"]][shell.rawValue] ?? []
    #expect(try Shell.run(shell.rawValue, options + ["-c", shell.script(for: tool)]) == "")
  }

  @Test("is printed by the tool itself")
  func printed() {
    let capture = Capture()
    let tool = Tool.make()
    #expect(tool.runSynchronously(["--completions", "fish"], environment: [:], console: capture.console()) == .success)
    #expect(capture.output == CompletionShell.fish.script(for: tool))
    #expect(tool.runSynchronously(["--completions", "tcsh"], environment: [:], console: capture.console()) == .usage)
    #expect(capture.errors.contains("expected one of bash, zsh, fish"))
    #expect(tool.runSynchronously(["add", "--manual"], environment: [:], console: capture.console()) == .usage)
  }
}

/// Runs programs of the machine.
enum Shell {
  static func path(of program: String) -> String? {
    ["/usr/bin/", "/bin/", "/usr/local/bin/"].map { $0 + program }.first {
      FileManager.default.isExecutableFile(atPath: $0)
    }
  }

  /// The output and the error output of a program.
  static func run(_ program: String, _ arguments: [String], input: String = "") throws -> String {
    let process = ChildProcess()
    process.executableURL = URL(fileURLWithPath: try #require(path(of: program)))
    process.arguments = arguments
    let (output, feed) = (Pipe(), Pipe())
    (process.standardOutput, process.standardError, process.standardInput) = (output, output, feed)
    try process.run()
    try feed.fileHandleForWriting.write(contentsOf: Data(input.utf8))
    try feed.fileHandleForWriting.close()
    let data = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitForEnd()
    return String(decoding: data, as: UTF8.self)
  }
}
