import Foundation
import ObjectServer
import ServerCluster
import Telemetry
import Transport
import TransportReal

/// The server's process: as the server program does it, durable. With the address of a database in `STORAGE` it is a node over that.
enum ServerRole {
  static func run(data: String) async {
    do {
      let loop = try EventLoop(name: "server")
      var configuration = ServerConfiguration()
      configuration.accounts.passwordCost = 4
      configuration.address = ListenAddress(host: "127.0.0.1", port: 0)
      let shared = ProcessInfo.processInfo.environment["STORAGE"].map {
        PostgresStorage($0, node: ClusterNode(name: "server", address: "http://127.0.0.1:1"))
      }
      let environment = try EmbeddedServer(path: data, shared: shared).open(
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
