import CommandLineKit
import Foundation
import TodoCore

let tool = TodoTool(
  backend: RealmBackend.init,
  screen: ScreenOwner.run, read: Files.read, write: Files.write, now: Clock.now, today: Clock.today)
let code = tool.command.runSynchronously(Array(CommandLine.arguments.dropFirst()))
// The network's loop may still run on its thread, where it would meet the destructors that `exit` runs. Nothing is
// buffered: what was printed is written, and what was committed is on disk.
_exit(code.rawValue)
