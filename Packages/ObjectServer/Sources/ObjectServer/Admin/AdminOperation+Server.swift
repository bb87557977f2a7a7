import ByteCoding
import Permissions
import Telemetry

extension AdminOperation {
  static let server = [information, configuration, metrics]

  private static let information = AdminOperation(
    name: "server", method: "GET", path: "server", summary: "The server at a glance.",
    answer: .object([
      .init("version", .string()), .init("startedAt", .integer(), "Milliseconds since 1970."),
      .init("now", .integer(), "Milliseconds since 1970, by the server's clock."),
      .init("connections", .integer(), "Open sync connections."), .init("openRealms", .integer()),
      .init("realms", .integer()), .init("users", .integer()),
      .init("receivedBytes", .integer(), "Memory that received messages take."),
      .init("memoryBytes", .integer(), isRequired: false, "The memory of the process."),
      .init("freeDiskBytes", .integer(), isRequired: false, "The room on the disk of the data directory."),
      .init("isStopping", .boolean),
    ]),
    work: .loop { call, completion in
      let hub = call.services.hub
      let (connections, openRealms, received, isStopping) = (
        hub.connections.count, hub.realms.values.count { $0.isOpen }, hub.receiveBudget.held, hub.isStopping
      )
      let services = call.services
      services.context.perform(.directory) { () throws(ServerError) in
        (
          try services.directory.realms(RealmSearch(limit: 0)).total, try services.directory.userCount(),
          [("memoryBytes", ProcessMemory.residentBytes()), ("freeDiskBytes", services.files?.freeDiskBytes())]
        )
      } then: { result in
        guard case .success(let (realms, users, room)) = result else { return completion(.failure(.storage)) }
        let known = room.compactMap { name, bytes in bytes.map { (key: name, value: JSONValue.integer($0)) } }
        completion(
          .success(
            .object(
              known + [
                ("version", .string(services.configuration.version)),
                ("startedAt", .integer(services.startedAt.millisecondsSince1970)),
                ("now", .integer(services.accounts.now.millisecondsSince1970)), ("connections", .integer(connections)),
                ("openRealms", .integer(openRealms)), ("realms", .integer(realms)), ("users", .integer(users)),
                ("receivedBytes", .integer(received)), ("isStopping", .bool(isStopping)),
              ])))
      }
    })

  private static let configuration = AdminOperation(
    name: "configuration", method: "GET", path: "configuration",
    summary: "The settings in force, without secrets. Durations are in seconds.", answer: .map(.string()),
    work: .blocking(.directory) { call in .object(settings(call.services.configuration).map { ($0.0, .string($0.1)) }) }
  )

  /// The settings that are shown: chosen one by one, so that no secret is among them by accident.
  private static func settings(_ configuration: ServerConfiguration) -> [(String, String)] {
    let accounts = configuration.accounts
    func seconds(_ duration: Duration?) -> String { duration.map { String($0.components.seconds) } ?? "none" }
    return [
      ("address", configuration.address.description), ("publicURL", configuration.publicURL?.description ?? "none"),
      ("tls", String(configuration.http.tls != nil)), ("version", configuration.version),
      ("maximumConnections", String(configuration.maximumConnections)),
      ("connectionsPerSecond", String(configuration.connectionsPerSecond)),
      ("realmsPerSecond", String(configuration.realmsPerSecond)),
      ("accountsPerSecond", String(configuration.accountsPerSecond)),
      ("memoryBudget", String(configuration.memoryBudget)),
      ("maximumMessageBytes", String(configuration.maximumMessageBytes)),
      ("maximumBodyBytes", String(configuration.http.maximumBodyBytes)),
      ("metricsAccess", configuration.metricsAccess.rawValue),
      ("studio", configuration.studio == nil ? "none" : configuration.studioAccess.rawValue),
      ("isBehindProxy", String(configuration.isBehindProxy)),
      ("trustedProxies", configuration.trustedProxies.ranges.map(\.description).joined(separator: " ")),
      ("vacuumInterval", seconds(configuration.vacuumInterval)),
      ("realmIdleTimeout", seconds(configuration.realmIdleTimeout)),
      ("maximumOpenRealms", String(configuration.maximumOpenRealms)),
      ("accessTokenLifetime", seconds(accounts.accessTokenLifetime)),
      ("refreshTokenLifetime", seconds(accounts.refreshTokenLifetime)),
      ("registration", accounts.registration.rawValue), ("anonymous", accounts.anonymous.rawValue),
      ("allowsPasswords", String(accounts.allowsPasswords)), ("allowsAPIKeys", String(accounts.allowsAPIKeys)),
      ("hidesTakenNames", String(accounts.hidesTakenNames)),
      ("minimumPasswordBytes", String(accounts.minimumPasswordBytes)),
    ]
  }

  private static let metrics = AdminOperation(
    name: "metrics", method: "GET", path: "metrics", summary: "The present values of all metrics.",
    answer: .object([.init("metrics", .array(metricSchema))]),
    work: .blocking(.directory) { call in .object([("metrics", metricValues(call.services.registry))]) })

  private static let metricSchema = AdminSchema.object([
    .init("name", .string()), .init("kind", .choice(["counter", "gauge", "histogram"])), .init("help", .string()),
    .init("labels", .map(.string())), .init("value", .number, "Of a histogram, the sum of its observations."),
    .init("count", .integer(), isRequired: false, "The number of observations of a histogram."),
  ])

  static func metricValues(_ registry: MetricsRegistry) -> JSONValue {
    .array(
      registry.samples().map { sample in
        var members: [(key: String, value: JSONValue)] = [
          ("name", .string(sample.name)), ("kind", .string(sample.kind)), ("help", .string(sample.help)),
          ("labels", .object(sample.labels.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) })),
          ("value", .number(number(sample.value))),
        ]
        if let count = sample.count { members.append(("count", .integer(count))) }
        return .object(members)
      })
  }

  private static func number(_ value: Double) -> String {
    guard value.isFinite else { return "0" }
    return value == value.rounded() && abs(value) < 1e15 ? String(Int64(value)) : String(value)
  }
}
