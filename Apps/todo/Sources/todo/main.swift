import CommandLineKit
import Foundation
import TodoCore

let tool = TodoTool(
  backend: { _ in PreviewBackend() },
  screen: ScreenOwner.run, read: Files.read, write: Files.write, now: Clock.now, today: Clock.today)
exit(tool.command.runSynchronously(Array(CommandLine.arguments.dropFirst())).rawValue)
