import Foundation

extension Driver {
  /// Two processes write to one synchronised file, and one of them syncs it. The syncing process is killed, and the
  /// other must take over; then a third process joins, and so on. At the end another device downloads the contents.
  ///
  /// - Returns: whether no transaction was lost or applied twice, and all contents are equal.
  func runTakeover(rounds: Int) throws -> Bool {
    defer { end() }
    try startServer()
    var holder = try startApp(0)
    try expect(holder, "holds", "the first process does not sync")
    try expect(holder, "acknowledged", "the first process does not upload")
    for round in 1...rounds {
      let other = try startApp(round, on: 0)
      try expect(other, "waits", "process \(round) does not see that another one syncs")
      try expect(other, "acknowledged", "what process \(round) writes is not sent by the other")
      sleep(upTo: 300)
      holder.kill()
      said += holder.lines
      try expect(other, "holds", "process \(round) does not take over")
      holder = other
    }
    apps = [holder, try startApp(rounds + 1)]
    try expect(apps[1], "acknowledged", "the other device does not sync")
    return try settle()
  }

  private func expect(_ app: Child, _ line: String, _ complaint: String) throws {
    guard app.line(line) == nil else { return }
    throw Failure(description: "\(complaint): \(app.lines.suffix(3))")
  }
}
