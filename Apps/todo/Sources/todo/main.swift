import CommandLineKit
import Foundation
import TodoCore
import TodoRealm

let tool = TodoTool(
  backend: RealmBackend.init,
  screen: ScreenOwner.run, read: Files.read, write: Files.write, now: Clock.now, today: Clock.today)
let code = tool.command.runSynchronously(Array(CommandLine.arguments.dropFirst()))
exit(code.rawValue)
