import Foundation

/// The parameters of a run: devices and users, the network, the weights of steps and faults. Scenarios are data: those
/// of `Scenarios.json` are run, and a failing run prints the smallest scenario that still fails.
///
///     {"name": "server killed", "breakProbability": 0.005, "weights": {"crashServer": 1}}
public struct Scenario: Codable, Hashable, Sendable {
  /// The name, unique in the table.
  public var name: String
  /// Devices at the start.
  public var devices = 3
  /// Users; devices are dealt to them in turn. The first user owns the realms; the others may read and write.
  public var users = 1
  /// The number of last devices that belong to a user who may only read. Their writes must not reach any other device.
  public var readers = 0
  /// The number of first devices that sync by queries; of those that join, every second one does, too.
  public var queried = 0
  /// Realms, all open on each device.
  public var realms = 1
  /// Steps of the run.
  public var steps = 80
  /// Weights of the kinds of steps; kinds without one have their usual weight.
  public var weights: [StepKind: Int] = [:]
  /// Whether the server trims its history within the run.
  public var hasShortHistory = false
  /// Chance that any message breaks its connection.
  public var breakProbability = 0.0
  /// Whether device clocks are wrong, by up to years.
  public var clocksAreWrong = false
  /// Whether transactions use every kind of field: embedded objects, sets, dictionaries, mixed values.
  public var usesEveryType = false
  /// Whether devices make their first transactions before their first connection.
  public var startsOffline = false

  /// A scenario with the usual weights.
  public init(_ name: String) { self.name = name }

  /// The weight of a kind of step.
  public func weight(_ kind: StepKind) -> Int { weights[kind] ?? StepKind.usual[kind] ?? 0 }

  /// Whether the server's files are on a disk, where they can be copied.
  var needsFolder: Bool {
    [.restore, .restoreOlder, .wipe, .restoreAndKillResets].contains { weight($0) > 0 }
  }

  /// Whether the server may forget what a device needs. Otherwise no device that may write needs a reset.
  var mayNeedResets: Bool { needsFolder || hasShortHistory }

  /// Whether a device syncs by queries.
  func isQueried(_ number: Int) -> Bool { number < devices ? number < queried : queried > 0 && number % 2 == 1 }

  /// JSON on one line, with the values that differ from the defaults.
  public var text: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? name
  }
}

extension Scenario {
  private enum Keys: String, CodingKey, CaseIterable {
    case name, devices, users, readers, queried, realms, steps, weights, hasShortHistory, breakProbability,
      clocksAreWrong
    case usesEveryType, startsOffline
  }

  private struct AnyKey: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  /// Reads a scenario.
  ///
  /// - Throws: `DecodingError`, also for an unknown key: a misspelt fault would never happen.
  public init(from decoder: any Decoder) throws {
    let known = Set(Keys.allCases.map(\.rawValue))
    for key in try decoder.container(keyedBy: AnyKey.self).allKeys where !known.contains(key.stringValue) {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "a scenario has no '\(key.stringValue)'"))
    }
    let values = try decoder.container(keyedBy: Keys.self)
    name = try values.decode(String.self, forKey: .name)
    func read<Value: Decodable>(_ key: Keys, _ value: inout Value) throws {
      if let given = try values.decodeIfPresent(Value.self, forKey: key) { value = given }
    }
    try read(.devices, &devices)
    try read(.users, &users)
    try read(.readers, &readers)
    try read(.queried, &queried)
    try read(.realms, &realms)
    try read(.steps, &steps)
    try read(.weights, &weights)
    try read(.hasShortHistory, &hasShortHistory)
    try read(.breakProbability, &breakProbability)
    try read(.clocksAreWrong, &clocksAreWrong)
    try read(.usesEveryType, &usesEveryType)
    try read(.startsOffline, &startsOffline)
  }

  /// Writes the values that differ from the defaults.
  ///
  /// - Throws: `EncodingError` of the encoder.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Keys.self)
    let usual = Scenario(name)
    func write<Value: Encodable & Equatable>(_ key: Keys, _ value: Value, unless usual: Value) throws {
      if value != usual { try values.encode(value, forKey: key) }
    }
    try values.encode(name, forKey: .name)
    try write(.devices, devices, unless: usual.devices)
    try write(.users, users, unless: usual.users)
    try write(.readers, readers, unless: usual.readers)
    try write(.queried, queried, unless: usual.queried)
    try write(.realms, realms, unless: usual.realms)
    try write(.steps, steps, unless: usual.steps)
    try write(.weights, weights, unless: usual.weights)
    try write(.hasShortHistory, hasShortHistory, unless: usual.hasShortHistory)
    try write(.breakProbability, breakProbability, unless: usual.breakProbability)
    try write(.clocksAreWrong, clocksAreWrong, unless: usual.clocksAreWrong)
    try write(.usesEveryType, usesEveryType, unless: usual.usesEveryType)
    try write(.startsOffline, startsOffline, unless: usual.startsOffline)
  }
}
