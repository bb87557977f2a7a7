import CommandLineKit
import Testing

@Suite("A manual page")
struct ManualPageTests {
  @Test("has the sections of a page, and every command with its options")
  func sections() {
    let lines = ManualPage(Tool.make()).text.split(separator: "\n")
    #expect(lines.first == ".TH \"TOOL\" 1 \"\" \"OpenRealm 1.2\" \"User Commands\"")
    let headings = lines.filter { $0.hasPrefix(".S") }
    #expect(
      headings == [
        ".SH NAME", ".SH SYNOPSIS", ".SH DESCRIPTION", ".SH OPTIONS", ".SH COMMANDS", ".SS \"add\"", ".SS \"move\"",
        ".SS \"fail\"", ".SS \"later\"", ".SH ENVIRONMENT", ".SH EXIT STATUS",
      ])
    #expect(lines.contains("\\fB\\-p\\fR, \\fB\\-\\-port\\fR \\fIPORT\\fR"))
    #expect(lines.contains("Port. (default: 9080; environment: TOOL_PORT)"))
    #expect(lines.contains("\\fB\\-f\\fR, \\fB\\-\\-force\\fR"))
    #expect(lines.contains(".B TOOL_VERBOSE"))
  }

  @Test("reads texts as texts, whatever they look like to troff")
  func escapes() {
    let tool = Command(
      "odd", summary: ".SH it's \\fB \"odd\".",
      discussion: ".de no request\n'nor this\n  $ odd -x \\ \"y\"\n\n  .TP\nafter it",
      options: [.flag("x", help: ".PP")])
    let text = ManualPage(tool).text
    #expect(text.contains("\n\\&.de no request\n\\(aqnor this\n.PP\n.nf\n.RS\n$ odd \\-x \\e \"y\"\n"))
    #expect(text.contains("\n\\&.TP\n.RE\n.fi\n.PP\nafter it\n"))
    #expect(text.contains("\n\\&.PP\n"))
    #expect(text.contains(".SH NAME\nodd \\- \\&.SH it\\(aqs \\efB \"odd\"\n"))
  }

  @Test("is set without a warning", .enabled(if: Shell.path(of: "groff") != nil))
  func groff() throws {
    let set = try Shell.run("groff", ["-man", "-ww", "-Tutf8", "-P-cbou"], input: ManualPage(Tool.make()).text)
    #expect(!set.contains("warning"))
    #expect(set.contains("tool move [OPTIONS] FROM [TO]"))
  }
}
