import ByteCoding
import CommandLineKit
import ObjectServer
import Telemetry
import Transport
import TransportReal

/// A client of the administration API for the commands: asks the server that runs on the data directory, or, when none does,
/// opens the directory and asks the same operations without a network.
enum AdminClient {
  private static let prefix = "/api/openrealm/v1/admin/"

  /// Performs one operation.
  ///
  /// - Parameter path: below the prefix, with encoded parameters and the query.
  /// - Returns: the answer; null for an operation without one.
  /// - Throws: `CommandFailure` with the server's refusal, or when the server cannot be reached.
  static func call(
    _ invocation: Invocation, _ method: String, _ path: String, body: JSONValue? = nil
  ) async throws -> JSONValue {
    let data = try ServeCommand.data(invocation)
    let loop = try EventLoop(name: "tool")
    defer { loop.shutDown() }
    let response: HTTPResponse
    do {
      let bytes = body.map { Array($0.text.utf8) } ?? []
      if let running = data.runningServer() {
        response = try await ask(running, data, RealNetwork(loop: loop), method, path, bytes)
      } else {
        response = try await open(invocation, data, RealNetwork(loop: loop), method, path, bytes)
      }
    } catch let error as ServerError {
      throw ServeCommand.failure(error)
    } catch let error as TransportError {
      throw CommandFailure(
        "the running server cannot be asked: \(error.message)", remedy: "look at its log", code: error.code.rawValue)
    }
    guard response.isSuccess else { throw failure(response) }
    guard !response.body.isEmpty else { return .null }
    return try JSONValue(parsing: response.body)
  }

  private static func ask(
    _ server: RunningServer, _ data: EmbeddedServer, _ network: RealNetwork, _ method: String, _ path: String,
    _ body: [UInt8]
  ) async throws -> HTTPResponse {
    let url = NetworkURL(scheme: server.url.scheme, host: server.url.host, port: server.url.port, target: prefix + path)
    return try await network.response(
      to: HTTPClientRequest(
        method: method, url: url, headers: headers(try data.administratorToken()), body: body, tls: server.tls))
  }

  private static func open(
    _ invocation: Invocation, _ data: EmbeddedServer, _ network: RealNetwork, _ method: String, _ path: String,
    _ body: [UInt8]
  ) async throws -> HTTPResponse {
    try data.openDirectory(mustExist: true).close()
    let environment = try data.open(network: network, threads: 2, logger: .disabled, serverVersion: ServerTool.version)
    var configuration = ServerConfiguration()
    configuration.version = ServerTool.version
    configuration.accounts = try ServeCommand.accounts(invocation)
    let server = ObjectServer(configuration: configuration, environment: environment)
    let response: Result<HTTPResponse, ServerError>
    do throws(ServerError) {
      // Opening made the token, if there was none.
      let token = try data.administratorToken()
      response = .success(
        await server.answer(HTTPRequest(method: method, target: prefix + path, headers: headers(token), body: body)))
    } catch {
      response = .failure(error)
    }
    await server.stop()
    return try response.get()
  }

  private static func headers(_ token: String) -> HTTPHeaders { ["Authorization": "Bearer \(token)"] }

  private static func failure(_ response: HTTPResponse) -> CommandFailure {
    let body = try? JSONValue(parsing: response.body)
    return CommandFailure(
      body?["error"]?.string ?? "the server answered with \(response.status)",
      code: body?["error_code"]?.string ?? String(response.status))
  }

  /// The beginning of the paths about the user that the argument `user` names, by the name to log in with or by the id.
  ///
  /// - Throws: as ``call(_:_:_:body:)``.
  static func userPath(_ invocation: Invocation) async throws -> String {
    let text = invocation.argument("user") ?? ""
    let found = try await call(invocation, "GET", "users?limit=1000&search=\(encoded(text))")["users"]?.elements ?? []
    let named = found.first { user in
      user["identities"]?.elements?.contains {
        $0["provider"]?.string == "local-userpass" && $0["name"]?.string == text
      } ?? false
    }
    return "users/" + encoded(named?["id"]?.string ?? text)
  }

  /// A part of a path or a query, encoded.
  static func encoded(_ text: String) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "~"):
        bytes.append(byte)
      default: bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
