import CommandLineKit
import Concurrency
import Foundation
import ObjectServer
import RecordStore
import Studio
import Transport
import TransportReal

extension RealmTool {
  static let studio = Command(
    "studio", summary: "Show a realm file in the browser, live beside the app that uses it.",
    discussion: """
      Prints an address of this machine, which only browsers of this machine reach, and serves it until Ctrl-C. The address holds \
      a key that is drawn anew each time.

        realm studio pets.realm
        realm studio pets.realm --read-only --port 8090
      """,
    options: [
      .flag("read-only", help: "Change nothing."),
      .value("port", kind: .integer(0...65_535), help: "The port; a free one unless given."),
    ],
    arguments: [fileArgument],
    asyncAction: { invocation, console in
      let path = invocation.argument("file") ?? ""
      let isReadOnly = invocation.flag("read-only") || !FileManager.default.isWritableFile(atPath: path)
      let file = try open(path, invocation, writable: !isReadOnly)
      let loop = try EventLoop(name: "studio")
      defer { loop.shutDown() }
      var random = SystemRandomNumberGenerator()
      let key = (0..<4).map { _ in
        let digits = String(UInt64.random(in: .min ... .max, using: &random), radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
      }.joined()
      let network = RealNetwork(loop: loop)
      let studio = LocalStudio(
        file, name: (path as NSString).lastPathComponent, isReadOnly: isReadOnly, pages: StudioPages.files, key: key,
        context: LoopContext(scheduler: network.scheduler, executor: ThreadPoolExecutor(threads: 2)))
      let listener = try await network.listen(
        on: ListenAddress(port: invocation.integer("port") ?? 0), options: HTTPServerOptions(), handler: studio)
      let address = "http://127.0.0.1:\(listener.address.port)/studio/#key=\(key)"
      if invocation.flag("json") {
        console.print(json: .object([("address", .text(address))]))
      } else {
        console.print("\(path) is at \(address)")
      }
      try await Interruption.watching {
        while !Interruption.hasCome { try await Task.sleep(for: .milliseconds(200)) }
      }
    })
}
