import AuthClient
import Permissions
import Transport
import TransportReal

/// A user of a real server, logged in over a network of its own.
struct ServerUser {
  let loop: EventLoop
  let network: RealNetwork
  let id: UserId
  /// Opens connections until it expires.
  let token: String

  /// Logs in.
  init(of server: ServerProcess, as credentials: AuthCredentials = .anonymous) async throws {
    loop = try EventLoop(name: "test")
    network = RealNetwork(loop: loop)
    let auth = try AuthClient(server: try NetworkURL("http://127.0.0.1:\(server.port)"), network: network)
    id = try await auth.logIn(credentials).id
    token = try await auth.accessToken(of: id)
  }

  /// A new connection to a server that takes the token.
  func client(of server: ServerProcess) throws -> RawClient {
    let client = RawClient()
    try client.connect(network, port: server.port, token: token)
    return client
  }

  /// Ends its network, and with it every connection.
  func end() { loop.shutDown() }
}
