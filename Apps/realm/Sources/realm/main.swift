import CommandLineKit
import Foundation
import RealmTool

exit(await RealmTool.command.run(Array(CommandLine.arguments.dropFirst())).rawValue)
