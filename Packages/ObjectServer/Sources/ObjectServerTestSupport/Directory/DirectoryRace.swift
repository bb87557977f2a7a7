import Dispatch
public import ObjectServer
import Synchronization

/// Calls of several processes on one directory at the same time, and the question whether they could have come one after another.
public struct DirectoryRace: Sendable {
  /// The calls before the race.
  public let before: [DirectoryEdit]
  /// The calls of each process.
  public let edits: [[DirectoryEdit]]

  /// A race of two processes with five calls each, after thirty calls.
  public init(using random: some RandomNumberGenerator) {
    var random = random
    before = (0..<30).map { _ in DirectoryEdit(using: &random) }
    edits = (0..<2).map { _ in
      var edits: [DirectoryEdit] = []
      while edits.count < 5 {
        let edit = DirectoryEdit(using: &random)
        if edit.isOneFunction { edits.append(edit) }
      }
      return edits
    }
  }

  /// Makes the calls of each process at the same time, each on a directory of its own. Blocks.
  ///
  /// - Returns: the answers of each process, in its order.
  /// - Throws: the first error of a call.
  public func answers(of directories: [any Directory]) throws -> [[String]] {
    let results = Mutex([Result<[String], any Error>?](repeating: nil, count: edits.count))
    DispatchQueue.concurrentPerform(iterations: edits.count) { process in
      let result = Result { try edits[process].map { try $0.perform(on: directories[process]) } }
      results.withLock { $0[process] = result }
    }
    return try results.withLock { $0 }.map { try $0?.get() ?? [] }
  }

  /// Whether there is an order of all calls that gives each its answer, and the directory what it says in the end.
  ///
  /// - Parameters:
  ///   - answers: those of each process, in its order.
  ///   - summary: what the directory says.
  public func isSerial(_ answers: [[String]], _ summary: String) throws -> Bool {
    try isSerial(answers, summary, order: [], next: edits.map { _ in 0 })
  }

  private func isSerial(_ answers: [[String]], _ summary: String, order: [Int], next: [Int]) throws -> Bool {
    let directory = MemoryDirectory()
    for edit in before { _ = try edit.perform(on: directory) }
    var position = edits.map { _ in 0 }
    for process in order {
      let index = position[process]
      guard try edits[process][index].perform(on: directory) == answers[process][index] else { return false }
      position[process] += 1
    }
    guard order.count < edits.joined().count else { return try DirectoryEdit.summary(of: directory) == summary }
    for process in edits.indices where next[process] < edits[process].count {
      var next = next
      next[process] += 1
      if try isSerial(answers, summary, order: order + [process], next: next) { return true }
    }
    return false
  }
}
