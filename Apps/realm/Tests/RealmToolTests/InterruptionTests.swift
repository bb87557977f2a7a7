import Foundation
import TestKit
import Testing

@Suite("Ctrl-C") struct InterruptionTests {
  /// A folder with a table of so many lines that its import takes a while.
  private func folder() throws -> String {
    let folder = NSTemporaryDirectory() + "realm-interrupt-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    var text = "id,name,score\n"
    for number in 0..<150_000 { text += "\(number),somebody,1.5\n" }
    try Data(text.utf8).write(to: URL(fileURLWithPath: folder + "/big.csv"))
    return folder
  }

  private func entries(_ folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
  }

  @Test("an import that is interrupted leaves no realm and no draft")
  func newRealm() throws {
    let folder = try folder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let tool = try ToolProcess("realm", ["import", "new.realm", "big.csv", "--json"], in: folder)
    while tool.isRunning, try entries(folder).count == 1 { usleep(2_000) }
    tool.interrupt()
    let outcome = tool.finish()
    #expect(outcome.status == 130)
    #expect(outcome.errorCode == "interrupted", "\(outcome.errors)")
    #expect(try entries(folder) == ["big.csv"])
  }

  @Test("an import into a realm that is interrupted writes nothing")
  func existingRealm() throws {
    let folder = try folder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try Data("id,name\n1,x\n".utf8).write(to: URL(fileURLWithPath: folder + "/small.csv"))
    #expect(try ToolProcess.run("realm", ["import", "a.realm", "small.csv"], in: folder).status == 0)
    let tool = try ToolProcess("realm", ["import", "a.realm", "big.csv", "--create"], in: folder)
    while tool.isRunning, !FileManager.default.fileExists(atPath: folder + "/a.realm.lock") { usleep(2_000) }
    tool.interrupt()
    let outcome = tool.finish()
    #expect(outcome.status == 130)
    #expect(outcome.errors == "error: interrupted\n")
    #expect(try ToolProcess.run("realm", ["query", "a.realm", "small", "--count"], in: folder).output == "1\n")
    #expect(try ToolProcess.run("realm", ["inspect", "a.realm", "--json"], in: folder).output.contains("big") == false)
  }

  @Test(
    "an export, a copy or a clone that is interrupted leaves no file, and the realm as it was",
    arguments: [["export", "a.realm", "out.json"], ["copy", "a.realm", "b.realm"], ["clone", "a.realm", "b.realm"]])
  func targets(_ words: [String]) throws {
    let folder = try folder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    #expect(try ToolProcess.run("realm", ["import", "a.realm", "big.csv"], in: folder).status == 0)
    let before = try entries(folder)
    let tool = try ToolProcess("realm", words + ["--json"], in: folder)
    // Its lock on the source, or its draft.
    while tool.isRunning, try entries(folder) == before { usleep(500) }
    tool.interrupt()
    let outcome = tool.finish()
    // A fast machine may have been done before.
    #expect(outcome.status == 130 || outcome.status == 0, "\(outcome.errors)")
    if outcome.status == 130 {
      #expect(outcome.errorCode == "interrupted" || outcome.errors == "", "\(outcome.errors)")
      #expect(try entries(folder).filter { !before.contains($0) && !$0.hasPrefix("a.realm") } == [])
    }
    #expect(try ToolProcess.run("realm", ["verify", "a.realm"], in: folder).status == 0)
  }
}
