import CommandLineKit
import TestKit
import Testing

@Suite("A command line")
struct CommandParserTests {
  private func parse(_ line: String, _ environment: [String: String] = [:]) throws -> Invocation? {
    let words = line.split(separator: " ").map(String.init)
    guard case .run(let invocation) = try CommandParser(Tool.make(), environment: environment).parse(words) else {
      return nil
    }
    return invocation
  }

  @Test(
    "gives the same values however an option is spelled",
    arguments: [
      "add --port 80 milk", "add --port=80 milk", "add -p 80 milk", "add -p80 milk", "add -p=80 milk",
      "--port 80 add milk", "add milk --port 80", "add -vp80 milk", "-p 80 add -- milk",
    ])
  func spelling(_ line: String) throws {
    let invocation = try #require(try parse(line))
    #expect(invocation.path == ["tool", "add"])
    #expect(invocation.integer("port") == 80)
    #expect(invocation.source(of: "port") == .commandLine)
    #expect(invocation.arguments("word") == ["milk"])
  }

  @Test("takes a value from the environment before the default")
  func environment() throws {
    let given = try #require(try parse("add milk", ["TOOL_PORT": "81", "TOOL_VERBOSE": "yes"]))
    #expect(given.integer("port") == 81)
    #expect(given.source(of: "port") == .environment)
    #expect(given.flag("verbose"))
    let plain = try #require(try parse("add milk", ["TOOL_PORT": ""]))
    #expect(plain.text("port") == "9080")
    #expect(plain.source(of: "port") == .defaultValue)
    #expect(!plain.flag("verbose"))
    #expect(plain.text("user") == nil)
    #expect(plain.source(of: "user") == nil)
  }

  @Test("treats a negative number and all after -- as arguments")
  func plainWords() throws {
    #expect(try parse("add -5 -.5")?.arguments("word") == ["-5", "-.5"])
    #expect(try parse("add -- --port -v")?.arguments("word") == ["--port", "-v"])
    #expect(try parse("add -")?.arguments("word") == ["-"])
    #expect(try parse("add a b --tag red --tag green")?.texts("tag") == ["red", "green"])
    #expect(try parse("move 1")?.argument("to") == nil)
    #expect(try parse("move 1 2 -f")?.argument("to") == "2")
  }

  @Test("asks for help or the version")
  func help() throws {
    func outcome(_ words: String...) throws -> CommandParser.Outcome { try CommandParser(Tool.make()).parse(words) }
    #expect(try outcome("--help") == .help(["tool"]))
    #expect(try outcome("add", "-h") == .help(["tool", "add"]))
    #expect(try outcome("help", "add") == .help(["tool", "add"]))
    #expect(try outcome("--version") == .version)
  }

  @Test(
    "that is wrong says what is wrong",
    arguments: [
      ("add --prot 80 x", "unknown option '--prot'; did you mean '--port'?"),
      ("add --prot=80 x", "unknown option '--prot'; did you mean '--port'?"),
      ("add --verb x", "unknown option '--verb'; did you mean '--verbose'?"),
      ("add --quite x", "unknown option '--quite'"),
      ("add -z x", "unknown option '-z'"),
      ("ad x", "unknown command 'ad'; did you mean 'add'?"),
      ("remove x", "unknown command 'remove'; did you mean 'move'?"),
      ("", "a command is missing; it is one of add, move, fail, later"),
      ("add", "WORD is missing"),
      ("add x --port", "option '--port' needs a value: --port PORT"),
      ("add x --port 0", "'0' is not valid for '--port': expected a whole number from 1 to 65535"),
      ("add x -p http", "'http' is not valid for '-p': expected a whole number from 1 to 65535"),
      ("add x --tag blue", "'blue' is not valid for '--tag': expected one of red, green"),
      ("add x --verbose=1", "option '--verbose' takes no value, but got '1'"),
      ("add x -u a --user b", "option '--user' is given twice"),
      ("move a", "'a' is not valid for FROM: expected a whole number of at least 1"),
      ("move 1 2 3", "'3' is one word too many"),
    ])
  func mistakes(_ line: String, _ message: String) throws {
    let error = #expect(throws: UsageError.self) { try parse(line) }
    #expect(error?.message == message)
  }

  @Test("names the variable of a bad value from the environment")
  func badEnvironment() {
    let error = #expect(throws: UsageError.self) { try parse("add x", ["TOOL_PORT": "many"]) }
    #expect(
      error?.reason == .invalidEnvironment("TOOL_PORT", value: "many", expected: "a whole number from 1 to 65535"))
    #expect(error?.path == ["tool", "add"])
  }

  @Test("of random words never traps")
  func randomWords() {
    let seed = Seeds.seed ?? 1
    var random = SeededGenerator(seed: seed)
    let pieces = [
      "-", "--", "add", "move", "help", "-p", "--port", "=", "80", "-v", "é", "世界", "", "-5", "--tag=red", "--help=",
      "\u{0}",
    ]
    for _ in 0..<(Seeds.runs ?? 2_000) {
      let words = (0..<Int.random(in: 0...6, using: &random)).map { _ in
        (0..<Int.random(in: 1...2, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
      }
      _ = try? CommandParser(Tool.make()).parse(words)
    }
  }
}
