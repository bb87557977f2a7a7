import CommandLineKit
import Foundation
import RealmTool

exit(RealmTool.command.runSynchronously(Array(CommandLine.arguments.dropFirst())).rawValue)
