import CommandLineKit
import Testing

@Suite("Running a tool")
struct RunTests {
  @Test(
    "answers the exit code and puts errors on standard error",
    arguments: [
      (["add", "x"], ExitCode.success, "", ""),
      (["--version"], .success, "tool 1.2\n", ""),
      (["later"], .success, "later\n", ""),
      (["fail"], .failure, "", "error: cannot open the store: no such file\n  to do: check the path\n"),
      (
        ["add", "--prot"], .usage, "",
        "error: unknown option '--prot'; did you mean '--port'?\nTry 'tool add --help'.\n"
      ),
    ])
  func codes(_ words: [String], _ code: ExitCode, _ output: String, _ errors: String) async {
    let capture = Capture()
    #expect(await Tool.make().run(words, environment: [:], console: capture.console()) == code)
    #expect(capture.output == output)
    #expect(capture.errors == errors)
  }

  @Test("on the calling thread hands the invocation to the action")
  func synchronously() {
    let capture = Capture()
    let tool = Tool.make { invocation, console in
      console.print("\(invocation.arguments("word").joined(separator: "+"))")
    }
    #expect(tool.runSynchronously(["add", "a", "b"], environment: [:], console: capture.console()) == .success)
    #expect(capture.output == "a+b\n")
  }

  @Test("reports a mistake that only the action sees as a usage error")
  func mistakeOfTheAction() {
    let capture = Capture()
    let tool = Tool.make { invocation, _ in throw UsageError(invocation, "choose one") }
    #expect(tool.runSynchronously(["add", "a"], environment: [:], console: capture.console()) == .usage)
    #expect(capture.errors == "error: choose one\nTry 'tool add --help'.\n")
  }
}
