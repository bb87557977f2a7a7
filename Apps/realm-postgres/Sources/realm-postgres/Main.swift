import CommandLineKit
import Foundation
import ObjectServer
import PostgresClient
import PostgresConnector
import Telemetry
import Transport
import TransportReal

@main
struct Main {
  static func main() async {
    umask(0o077)
    exit(await PostgresTool.command.run(Array(CommandLine.arguments.dropFirst())).rawValue)
  }
}

/// The command line: a server with a connector to PostgreSQL.
enum PostgresTool {
  static let command = Command(
    "realm-postgres", summary: "Serve realms that are the same as tables of a PostgreSQL database.",
    discussion: """
      It is a realm-object-server with a connector in it: it serves a data directory, and keeps the realms that its settings \
      name and the tables of a database the same, both ways. Docs/PostgreSQL.md has every setting.

        realm-postgres --config connector.toml --data /var/lib/openrealm
      """,
    version: Release.version,
    options: [
      .value("config", short: "c", valueName: "FILE", kind: .text, help: "The settings of the connector, in TOML."),
      .value(
        "data", short: "d", valueName: "DIR", kind: .text, help: "The data directory of the server.",
        defaultValue: "data"),
      .value("host", valueName: "HOST", kind: .text, help: "The address to listen on.", defaultValue: "127.0.0.1"),
      .value(
        "port", short: "p", valueName: "PORT", kind: .integer(0...65_535), help: "The port to listen on.",
        defaultValue: "9080"),
      .flag("check", help: "Read the settings, say what is wrong with them, and end."),
    ],
    asyncAction: run)

  static let run: Command.AsyncAction = { invocation, console in
    guard let file = invocation.text("config") else { throw UsageError(invocation, "--config names the settings") }
    guard let data = FileManager.default.contents(atPath: file), let text = String(validating: data, as: UTF8.self)
    else {
      throw CommandFailure("\(file) cannot be read", remedy: "check that it exists and is UTF-8")
    }
    let configuration: ConnectorConfiguration
    do { configuration = try ConnectorConfiguration(toml: text) } catch {
      throw CommandFailure("\(file): \(error)", remedy: "correct the line; Docs/PostgreSQL.md lists the settings")
    }
    if invocation.flag("check") { return console.print("\(file) has no faults") }
    try await serve(configuration, invocation, console)
  }

  private static func serve(
    _ configuration: ConnectorConfiguration, _ invocation: Invocation, _ console: Console
  ) async throws {
    let logger = Logger(category: "", level: level(configuration.logLevel), sink: try sink(configuration))
    let loop = try EventLoop(name: "server")
    do {
      let environment = try EmbeddedServer(path: invocation.text("data") ?? "data").open(
        network: RealNetwork(loop: loop), threads: 4, logger: logger)
      var settings = ServerConfiguration()
      settings.address = ListenAddress(
        host: invocation.text("host") ?? "127.0.0.1", port: Int(invocation.text("port") ?? "") ?? 9_080)
      let server = ObjectServer(configuration: settings, environment: environment)
      let address = try await server.start()
      let connector = PostgresConnector(
        server, configuration, logger: logger.child("postgres"), metrics: environment.metrics)
      loop.onTermination { connector.stop() }
      console.print("listening on http://\(address), connector \(configuration.name)")
      let result: Result<Void, any Error>
      do { result = .success(try await connector.run()) } catch { result = .failure(error) }
      await server.stop()
      try result.get()
    } catch let error as ServerError {
      throw CommandFailure(error.message, remedy: error.remedy)
    } catch let error as ConfigurationError {
      throw CommandFailure(error.description, remedy: "make the settings and the tables fit each other")
    } catch let error as ConnectorError {
      throw CommandFailure(error.description, remedy: "Docs/PostgreSQL.md says more")
    } catch let error as PostgresError {
      throw CommandFailure(
        "the database refuses: \(error)", remedy: "give the role the rights that Docs/PostgreSQL.md names")
    }
  }

  private static func level(_ name: String) -> LogLevel {
    switch name {
    case "error": .error
    case "warn": .warn
    case "debug": .debug
    case "trace": .trace
    case _: .info
    }
  }

  private static func sink(_ configuration: ConnectorConfiguration) throws -> any LogSink {
    guard var path = configuration.logFile else { return FileDescriptorSink.standardError(format: .text) }
    if path.isEmpty {
      let time = Date().formatted(.iso8601.dateSeparator(.dash).time(includingFractionalSeconds: false))
      path = "realm-adapter-log-" + time.filter { $0 != ":" && $0 != "Z" }.map { $0 == "T" ? "-" : $0 } + ".txt"
    }
    let file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard file >= 0 else {
      throw CommandFailure("\(path) cannot be written", remedy: "choose another file in [log]")
    }
    return FileDescriptorSink(descriptor: file, format: .text)
  }
}
