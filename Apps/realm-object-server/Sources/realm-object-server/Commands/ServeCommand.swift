import CommandLineKit
import EventHandling
import Foundation
import ObjectServer
import Telemetry
import Transport
import TransportReal

/// Serving, the command without a name.
enum ServeCommand {
  static let command = Command(
    "serve", summary: "Serve until SIGTERM or SIGINT; what happens without a command.",
    discussion: """
      Every option can also be set by its environment variable, REALM_OBJECT_SERVER_ and its name in capitals, such as \
      REALM_OBJECT_SERVER_PORT, and in the file that --config names, such as

        port = 9080
        host = "0.0.0.0"
        tls-certificate = "/etc/openrealm/server.pem"

      The command line wins over the environment, and that over the file. At SIGTERM or SIGINT the server accepts nothing \
      more, lets uploads become durable, and closes its connections so that clients come back later. At SIGHUP it reads \
      the file, the certificate and its key again: new connections see the new certificate, and the log level changes.
      """,
    options: ServeOptions.serving, asyncAction: run)

  static let run: Command.AsyncAction = { invocation, console in
    let plan = try ServePlan(invocation)
    let recent = RecentLogs()
    let logger = Logger(
      category: "", level: plan.logLevel,
      sink: FanOutSink([FileDescriptorSink.standardError(format: plan.logFormat), recent]))
    let loop = try EventLoop(name: "server")
    let terminated = OneShotSignal()
    loop.onTermination { terminated.send() }
    do {
      let data = EmbeddedServer(path: plan.data, shared: plan.shared)
      var environment = try data.open(
        network: RealNetwork(loop: loop), threads: plan.threads, foreignKeys: plan.foreignKeys, logger: logger,
        retention: plan.configuration.history, serverVersion: ServerTool.version)
      environment.recentLogs = recent
      if let mail = plan.mail { environment.mail = try data.mail(over: mail) }
      let webhooks = webhooks(plan, environment)
      environment.webhooks = webhooks
      let server = ObjectServer(configuration: plan.configuration, environment: environment)
      let administrator =
        plan.makesAdministrator ? try data.makeFirstAdministrator(policy: plan.configuration.accounts) : nil
      let address = try await server.start()
      try await webhooks?.start(on: server)
      try data.announce(address, tls: plan.configuration.http.tls)
      let reloading = loop.onSignals([SIGHUP]) { _ in reload(invocation, server, address, logger) }
      announce(plan, address, console)
      if let administrator { announce(administrator, plan, console) }
      await terminated.wait()
      reloading.cancel()
      await webhooks?.stop()
      await server.stop()
      if plan.logFormat == .text { console.print("stopped") }
    } catch let error as ServerError {
      throw failure(error)
    } catch let error as EventError {
      throw CommandFailure(error.message, remedy: error.remedy, code: error.code.rawValue)
    }
  }

  /// The webhooks of the settings; nil for none.
  private static func webhooks(_ plan: ServePlan, _ environment: ServerEnvironment) -> Webhooks? {
    guard !plan.webhooks.isEmpty else { return nil }
    return Webhooks(
      plan.webhooks, folder: plan.data + "/webhooks", network: environment.network,
      logger: environment.logger.child("webhooks"), metrics: environment.metrics
    ) { $0.numberOfRetries = plan.webhookRetries }
  }

  /// Prints the line that says where the server listens: for people, or with JSON logs an object.
  private static func announce(_ plan: ServePlan, _ address: ListenAddress, _ console: Console) {
    let url = "\(plan.configuration.http.tls == nil ? "http" : "https")://\(address)"
    let process = ProcessInfo.processInfo.processIdentifier
    switch plan.logFormat {
    case .text:
      console.print("listening on \(url), data in \(plan.data), version \(ServerTool.version), process \(process)")
    case .json:
      let line = JSONOutput.object([
        ("message", "listening"), ("url", .text(url)), ("data", .text(plan.data)),
        ("version", .text(ServerTool.version)), ("process", .integer(Int(process))),
      ])
      // One line also on a terminal.
      console.writeJSON(line.text + "\n")
    }
  }

  /// Prints the password of the first administrator, for the only time. It goes to standard output, never to the log.
  private static func announce(
    _ administrator: (name: String, password: String), _ plan: ServePlan, _ console: Console
  ) {
    switch plan.logFormat {
    case .text:
      console.print("first administrator: user \(administrator.name), password \(administrator.password)")
      console.print("write the password down, it is not shown again; 'users password' sets another one")
    case .json:
      let line = JSONOutput.object([
        ("message", "first administrator"), ("user", .text(administrator.name)),
        ("password", .text(administrator.password)),
      ])
      console.writeJSON(line.text + "\n")
    }
  }

  /// Takes over what can change while serving. A mistake changes nothing.
  private static func reload(
    _ invocation: Invocation, _ server: ObjectServer, _ address: ListenAddress, _ logger: Logger
  ) {
    do {
      let plan = try ServePlan(invocation)
      if let tls = plan.configuration.http.tls {
        try server.replaceTLS(tls)
        try EmbeddedServer(path: plan.data).announce(address, tls: tls)
      }
      logger.threshold.level = plan.logLevel
      logger.info("settings were read again", ["log-level": .string(plan.logLevel.description)])
    } catch {
      logger.error("settings cannot be read again; the old ones stay", ["reason": LogValue("\(error)")])
    }
  }

  static func failure(_ error: ServerError) -> CommandFailure {
    CommandFailure(
      error.message + (error.cause.map { " (\($0))" } ?? ""), remedy: error.remedy, code: "\(error.code)")
  }

  /// Runs work on a data directory, with its errors in the form of a tool.
  static func reporting<Value>(_ work: () throws -> Value) throws -> Value {
    do { return try work() } catch let error as ServerError { throw failure(error) }
  }

  /// The data directory that `--data`, the environment or the configuration file name.
  static func data(_ invocation: Invocation) throws -> EmbeddedServer {
    let settings = try settings(invocation)
    return EmbeddedServer(
      path: settings.text("data") ?? DataDefaults.directory,
      shared: try SharedStorageSettings.storage(settings, isServing: false))
  }

  /// The rules about accounts that the environment or the configuration file set.
  static func accounts(_ invocation: Invocation) throws -> AccountPolicy {
    ServePlan.accounts(try settings(invocation))
  }

  static func settings(_ invocation: Invocation) throws -> Settings {
    let file = try invocation.text("config").map { try ConfigurationFile.read($0) }
    return try Settings(invocation, options: ServeOptions.all, file: file)
  }
}
