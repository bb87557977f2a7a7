import Foundation
import TestKit
import Testing

@Suite("Child processes")
struct ChildProcessTests {
  private func shell(_ script: String, output: Pipe = Pipe()) throws -> ChildProcess {
    let process = ChildProcess()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", script]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    return process
  }

  @Test("the end is a status, or 128 and the signal, however often it is asked for")
  func status() async throws {
    let process = try shell("exit 3")
    let (first, second) = try await onOwnThread { (process.waitForEnd(), process.waitForEnd()) }
    #expect(first == 3)
    #expect(second == 3)
    #expect(!process.isRunning)
    let killed = try shell("exec sleep 600")
    #expect(killed.isRunning)
    killed.signal(SIGKILL)
    #expect(try await onOwnThread { killed.waitForEnd() } == 128 + SIGKILL)
  }

  @Test("it has the environment and the folder that it was given, and no descriptor but its streams")
  func surroundings() async throws {
    let process = ChildProcess(), output = Pipe()
    let kept = try #require(FileHandle(forReadingAtPath: "/dev/null"))
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    // Another program lists the shell's own descriptors: a shell that makes a pipe has it open for a moment.
    process.arguments = ["-c", "echo $NAME; pwd; ls /proc/$$/fd; exit"]
    process.environment = ["NAME": "ann", "PATH": "/usr/bin:/bin"]
    process.currentDirectoryURL = URL(fileURLWithPath: "/usr")
    process.standardOutput = output
    try process.run()
    let text = try await onOwnThread { try output.fileHandleForReading.readToEnd() ?? Data() }
    #expect(
      String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init) == ["ann", "/usr", "0", "1", "2"])
    try kept.close()
  }

  @Test("a pipe ends with its own child, whatever others do that start at the same moment")
  func pipes() async throws {
    let output = Pipe()
    let starting = Task.detached { try (0..<8).map { _ in try shell("exec sleep 600") } }
    let short = try shell("echo done", output: output)
    let long = try await starting.value
    let text = try await onOwnThread { try output.fileHandleForReading.readToEnd() ?? Data() }
    #expect(String(decoding: text, as: UTF8.self) == "done\n")
    #expect(try await onOwnThread { short.waitForEnd() } == 0)
    for process in long { process.signal(SIGKILL) }
  }

  @Test("a child that has ended is gone, though nobody waits for it")
  func reaping() async throws {
    let process = try shell("exit 0")
    try await eventually("the end") { kill(process.processIdentifier, 0) != 0 && errno == ESRCH }
    #expect(!process.isRunning)
  }

  @Test("a program that is not there is an error")
  func absence() {
    let process = ChildProcess()
    process.executableURL = URL(fileURLWithPath: "/nowhere/program")
    #expect(throws: POSIXError.self) { try process.run() }
    #expect(!process.isRunning)
  }
}
