import Foundation

/// A program of this build as a process, for tests of command lines.
///
///     let outcome = try ToolProcess.run("todo", ["add", "milk"], in: folder)
///     #expect(outcome.status == 0)
public final class ToolProcess {
  /// The end of a program.
  public struct Outcome {
    /// The exit code; 128 and the number of the signal that ended it.
    public var status: Int32
    /// Standard output.
    public var output: String
    /// Standard error.
    public var errors: String
  }

  private let process = ChildProcess()
  private let output = Pipe()
  private let errors = Pipe()

  /// Starts a program; its environment has no home but `folder`.
  ///
  /// - Parameters:
  ///   - input: its standard input.
  ///   - closesOutput: whether nobody reads its standard output.
  /// - Throws: an error of Foundation when it cannot be started.
  public init(_ program: String, _ words: [String], in folder: String, input: String = "", closesOutput: Bool = false)
    throws
  {
    process.executableURL = Self.executable(program)
    process.arguments = words
    process.currentDirectoryURL = URL(fileURLWithPath: folder)
    process.environment = ["HOME": folder, "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"]
    let inputPipe = Pipe()
    process.standardInput = inputPipe
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    if closesOutput { try output.fileHandleForReading.close() }
    try inputPipe.fileHandleForWriting.write(contentsOf: Data(input.utf8))
    try inputPipe.fileHandleForWriting.close()
  }

  /// Whether it has not ended.
  public var isRunning: Bool { process.isRunning }

  /// Sends it SIGINT, as Ctrl-C does.
  public func interrupt() { process.signal(SIGINT) }

  /// Waits for the end.
  public func finish() -> Outcome {
    let errors = errors
    let text = (try? output.fileHandleForReading.readToEnd()) ?? nil
    let complaint = (try? errors.fileHandleForReading.readToEnd()) ?? nil
    return Outcome(
      status: process.waitForEnd(),
      output: String(decoding: text ?? Data(), as: UTF8.self),
      errors: String(decoding: complaint ?? Data(), as: UTF8.self))
  }

  /// Runs a program to its end.
  ///
  /// - Throws: an error of Foundation when it cannot be started.
  public static func run(_ program: String, _ words: [String], in folder: String, input: String = "") throws -> Outcome
  {
    try ToolProcess(program, words, in: folder, input: input).finish()
  }

  /// The program, built beside the tests.
  public static func executable(_ program: String) -> URL {
    let folder = URL(fileURLWithPath: CommandLine.arguments.first ?? "").deletingLastPathComponent()
    for candidate in [folder, Bundle.main.bundleURL, Bundle.main.bundleURL.deletingLastPathComponent()] {
      let tool = candidate.appendingPathComponent(program)
      if FileManager.default.isExecutableFile(atPath: tool.path) { return tool }
    }
    return folder.appendingPathComponent(program)
  }
}

extension ToolProcess.Outcome {
  /// The code of the error in JSON, the only line of standard error.
  public var errorCode: String? {
    let lines = errors.split(separator: "\n")
    guard lines.count == 1, let line = lines.first,
      let object = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any],
      let error = object["error"] as? [String: Any], error["message"] is String
    else { return nil }
    return error["code"] as? String
  }

  /// Whether standard output is JSON: one value, or one on each line.
  public var isJSON: Bool {
    func isValue(_ text: some StringProtocol) -> Bool {
      (try? JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)) != nil
    }
    return isValue(output) || output.split(separator: "\n").allSatisfy { isValue($0) }
  }
}
