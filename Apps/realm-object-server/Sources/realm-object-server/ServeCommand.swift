import CommandLineKit
import Cryptography
import Foundation
import ObjectServer
import Permissions
import Telemetry
import Transport
import TransportReal

/// Serving, the command without a name.
enum ServeCommand {
  static let options: [CommandOption] = [
    .value(
      "port", short: "p", valueName: "PORT", kind: .integer(0...65_535),
      help: "Port to listen on; 0 takes a free one and prints it.", environment: "OPENREALM_PORT", defaultValue: "9080"),
    .value(
      "host", valueName: "ADDRESS", help: "Address to listen on; 0.0.0.0 for every network.",
      environment: "OPENREALM_HOST", defaultValue: "127.0.0.1"),
    .value(
      "log-level", valueName: "LEVEL",
      kind: .choice(["all", "trace", "debug", "detail", "info", "warn", "error", "fatal", "off"]),
      help: "How much is written to standard error.", environment: "OPENREALM_LOG_LEVEL", defaultValue: "info"),
    .value(
      "log-format", valueName: "FORMAT", kind: .choice(["text", "json"]), help: "How log lines look.",
      environment: "OPENREALM_LOG_FORMAT", defaultValue: "text"),
    .value(
      "public-url", valueName: "URL", help: "The address that clients are told to use.",
      environment: "OPENREALM_PUBLIC_URL"),
    .value(
      "partition-access", valueName: "LEVEL", kind: .choice(["none", "read", "write"]),
      help: "What every user may do with the partitions of stock apps.", environment: "OPENREALM_PARTITION_ACCESS",
      defaultValue: "write"),
    .value(
      "jwt-key", valueName: "FILE", help: "A public key (PEM) whose tokens log users in.",
      environment: "OPENREALM_JWT_KEY"),
    .flag(
      "no-registration", help: "Do not let clients make users; use 'user add'.",
      environment: "OPENREALM_NO_REGISTRATION"),
    .flag(
      "no-anonymous", help: "Do not let users without a name log in.", environment: "OPENREALM_NO_ANONYMOUS"),
  ]

  static let run: Command.AsyncAction = { invocation, console in
    let path = invocation.text("data") ?? DataDefaults.directory
    let configuration = try configuration(invocation)
    let logger = Logger(
      category: "", level: LogLevel(invocation.text("log-level") ?? "info") ?? .info,
      sink: FileDescriptorSink.standardError(format: invocation.text("log-format") == "json" ? .json : .text))
    let loop = try EventLoop(name: "server")
    let terminated = Gate()
    loop.onTermination { terminated.open() }
    do {
      let environment = try EmbeddedServer(path: path).open(
        network: RealNetwork(loop: loop), threads: max(3, ProcessInfo.processInfo.activeProcessorCount + 1),
        foreignKeys: try foreignKeys(invocation), logger: logger)
      let server = ObjectServer(configuration: configuration, environment: environment)
      let address = try await server.start()
      console.print("listening on http://\(address), data in \(path)")
      await terminated.wait()
      await server.stop()
      console.print("stopped")
    } catch let error as ServerError {
      throw failure(error)
    }
  }

  private static func configuration(_ invocation: Invocation) throws -> ServerConfiguration {
    var configuration = ServerConfiguration()
    configuration.version = ServerTool.version
    configuration.address = ListenAddress(
      host: invocation.text("host") ?? "127.0.0.1", port: invocation.integer("port") ?? 9_080)
    configuration.accounts.allowsRegistration = !invocation.flag("no-registration")
    configuration.accounts.allowsAnonymous = !invocation.flag("no-anonymous")
    configuration.accounts.rules.partitionLevel =
      invocation.text("partition-access").flatMap { AccessLevel(name: $0) } ?? .write
    if let text = invocation.text("public-url") {
      do {
        configuration.publicURL = try NetworkURL(text)
      } catch {
        throw CommandFailure(
          "--public-url: \(error.message)", remedy: "write it as https://sync.example.org", exitCode: .usage)
      }
    }
    return configuration
  }

  private static func foreignKeys(_ invocation: Invocation) throws -> [VerificationKey] {
    guard let path = invocation.text("jwt-key") else { return [] }
    guard let data = FileManager.default.contents(atPath: path) else {
      throw CommandFailure("--jwt-key: \(path) cannot be read", remedy: "check that the file exists and may be read")
    }
    do {
      return [try VerificationKey(pem: String(decoding: data, as: UTF8.self))]
    } catch {
      throw CommandFailure("--jwt-key: \(path): \(error.message)", remedy: "give a public RSA or P-256 key in PEM")
    }
  }

  static func failure(_ error: ServerError) -> CommandFailure {
    CommandFailure(error.message + (error.cause.map { " (\($0))" } ?? ""), remedy: error.remedy)
  }
}
