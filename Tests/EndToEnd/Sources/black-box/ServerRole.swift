import Foundation
import ObjectServer
import Telemetry
import Transport
import TransportReal

/// The server's process: as the server program does it, durable.
enum ServerRole {
  static func run(data: String) async {
    do {
      let loop = try EventLoop(name: "server")
      var configuration = ServerConfiguration()
      configuration.accounts.passwordCost = 4
      configuration.address = ListenAddress(host: "127.0.0.1", port: 0)
      let environment = try EmbeddedServer(path: data).open(
        network: RealNetwork(loop: loop), threads: 2, logger: .disabled)
      let address = try await ObjectServer(configuration: configuration, environment: environment).start()
      say("port \(address.port)")
      // The server runs until it is killed.
      while true { try await Task.sleep(for: .seconds(3_600)) }
    } catch {
      say("failed \(error)")
      exit(1)
    }
  }
}
