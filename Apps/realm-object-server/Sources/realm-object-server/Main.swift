import CommandLineKit
import Foundation

@main
struct Main {
  static func main() async {
    let code = await ServerTool.command.run(Array(CommandLine.arguments.dropFirst()))
    exit(code.rawValue)
  }
}
