import ChatCore
import ChatRealm
import CommandLineKit
import Foundation

let tool = ChatTool(
  backend: RealmBackend.init, screen: ScreenOwner.run, read: StandardInput.read, now: { Date() },
  zone: { TimeZone.current.secondsFromGMT(for: $0) })
let code = tool.command.runSynchronously(Array(CommandLine.arguments.dropFirst()))
exit(code.rawValue)
