import CommandLineKit
import Foundation

@main
struct Main {
  static func main() async {
    // Files of realms, backups and logs are for the server's user alone.
    umask(0o077)
    let code = await ServerTool.command.run(Array(CommandLine.arguments.dropFirst()))
    exit(code.rawValue)
  }
}
