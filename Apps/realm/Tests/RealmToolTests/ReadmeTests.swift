import Foundation
import TestKit
import Testing

/// The three commands of the README, from a CSV file nobody prepared to its objects on the screen.
@Suite struct ReadmeTests {
  /// A table as spreadsheets export them: with a byte order mark, quotes, gaps, and a heading that is no name.
  static let cities = """
    \u{FEFF}City,Country,Population,Capital?,Founded\r
    Tokyo,Japan,37400068,true,1457-01-01\r
    "Washington, D.C.","United States",712816,TRUE,1790-07-16\r
    Lagos,Nigeria,15387639,false,\r
    São Paulo,Brazil,22043028,false,1554-01-25\r

    """

  /// The lines of the README's block that begin with `realm import`, without their comments, as words.
  private func commands() throws -> [[String]] {
    let root = (0..<5).reduce(URL(fileURLWithPath: #filePath)) { url, _ in url.deletingLastPathComponent() }
    let readme = try String(contentsOf: root.appendingPathComponent("README.md"), encoding: .utf8)
    let start = try #require(readme.range(of: "realm import cities.realm"))
    let block = readme[start.lowerBound...].prefix(while: { $0 != "`" })
    return block.split(separator: "\n").map { line in
      let code = line.split(separator: "#")[0]
      // Every other part stands in quotes.
      return code.split(separator: "\"", omittingEmptySubsequences: false).enumerated().flatMap { position, part in
        position % 2 == 1 ? [String(part)] : part.split(separator: " ").map(String.init)
      }
    }
  }

  @Test func threeCommandsLeadToTheScreen() throws {
    let folder = NSTemporaryDirectory() + "realm-readme-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try Data(Self.cities.utf8).write(to: URL(fileURLWithPath: folder + "/cities.csv"))
    let commands = try commands()
    try #require(commands.count == 3)

    let imported = try ToolProcess.run("realm", Array(commands[0].dropFirst()), in: folder)
    #expect(imported.output == "4 objects made, 0 updated\n")
    let queried = try ToolProcess.run("realm", Array(commands[1].dropFirst()), in: folder)
    #expect(queried.output.split(separator: "\n").dropFirst().map { $0.contains("Tokyo") } == [true, false])
    #expect(queried.output.contains("São Paulo"))
    let terminal = try PseudoTerminal("realm", Array(commands[2].dropFirst()), in: folder)
    #expect(terminal.waitFor("Washington, D.C."))
    terminal.type("q")
    #expect(terminal.finish() == 0)
  }
}
