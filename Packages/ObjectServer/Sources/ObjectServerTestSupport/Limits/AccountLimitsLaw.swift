public import ObjectServer
public import TelemetryTestSupport

/// A law that holds for all limits of accounts, wherever they count.
public enum AccountLimitsLaw: String, CaseIterable, Sendable {
  case guessesFromANetworkWait, aNameIsGuessedAtSlowly, refusalsDoNotCount, aSuccessForgetsItsNetwork
  case theOwnersNetworkIsFree, namesAreGuessedAtSlowly, newUsersAreFew, passwordsChangeSlowly,
    whatIsWithdrawnIsNotCounted
  case longNamesAreOne, mailIsPaced

  /// Tries the law.
  ///
  /// - Parameters:
  ///   - one: limits that have counted nothing.
  ///   - other: the same limits, as another node counts with them.
  ///   - clock: the clock of both.
  /// - Throws: ``BrokenLaw``; the error of the limits.
  public func check(_ one: any AccountLimits, _ other: any AccountLimits, _ clock: ManualClock) throws {
    let nodes = AlternatingLimits(one, other)
    switch self {
    case .guessesFromANetworkWait: try Self.guessesFromANetworkWait(nodes, clock)
    case .aNameIsGuessedAtSlowly: try Self.aNameIsGuessedAtSlowly(nodes, clock)
    case .refusalsDoNotCount: try Self.refusalsDoNotCount(nodes, clock)
    case .aSuccessForgetsItsNetwork: try Self.aSuccessForgetsItsNetwork(nodes)
    case .theOwnersNetworkIsFree: try Self.theOwnersNetworkIsFree(nodes)
    case .namesAreGuessedAtSlowly:
      try Self.admits(nodes, .guessedName(network: "n"), atOnce: 100, thenEvery: .milliseconds(500), clock)
    case .newUsersAreFew:
      try Self.admits(nodes, .newUser(network: "n", perSecond: 2), atOnce: 10, thenEvery: .milliseconds(500), clock)
      try expect(try nodes.admits(.newUser(network: "m", perSecond: 2)), "another network has a count of its own")
    case .passwordsChangeSlowly:
      try Self.admits(nodes, .passwordChange(user: "ann"), atOnce: 5, thenEvery: .seconds(30), clock)
    case .whatIsWithdrawnIsNotCounted: try Self.whatIsWithdrawnIsNotCounted(nodes)
    case .longNamesAreOne:
      let names = ["a", "b"].map { String(repeating: $0, count: 300) }
      for number in 0..<6 {
        try expect(try nodes.admits(.login(name: names[number % 2], network: "n")), "six are free")
      }
      try expect(try !nodes.admits(.login(name: names[0], network: "n")), "names that cannot exist are one")
    case .mailIsPaced: try Self.mailIsPaced(nodes, clock)
    }
  }

  /// A rate: so many at once, then one in a time, and not before.
  private static func admits(
    _ nodes: AlternatingLimits, _ event: AccountEvent, atOnce burst: Int, thenEvery pause: Duration,
    _ clock: ManualClock
  ) throws {
    for number in 1...burst { try expect(try nodes.admits(event), "number \(number) of \(burst) is admitted") }
    for _ in 1...3 {
      try expect(try !nodes.admits(event), "one more is refused")
      clock.advance(by: pause - .milliseconds(20))
      try expect(try !nodes.admits(event), "it is refused until its time has come")
      clock.advance(by: .milliseconds(21))
      try expect(try nodes.admits(event), "it is admitted when its time has come")
    }
  }
}

/// Two nodes that are asked in turn, so that what holds for both together is seen.
final class AlternatingLimits {
  private let nodes: [any AccountLimits]
  private var turn = 0

  init(_ one: any AccountLimits, _ other: any AccountLimits) { nodes = [one, other] }

  var next: any AccountLimits {
    turn += 1
    return nodes[turn % 2]
  }

  /// The wait that the next node tells; the event counts when it is zero.
  func wait(_ event: AccountEvent) throws -> Duration {
    let node = next
    let wait = try node.admit(event).wait
    try expect(node.knownWait(event) <= wait || wait == .zero, "a wait that is known is not longer than the true one")
    return wait
  }

  func admits(_ event: AccountEvent) throws -> Bool { try wait(event) == .zero }

  /// A login with the right password: admitted by one node, settled there.
  func logIn(_ event: AccountEvent, as outcome: AccountOutcome = .succeeded) throws {
    let node = next
    let admission = try node.admit(event)
    try expect(admission.wait == .zero, "the login is admitted")
    try node.settle(event, admission, as: outcome)
  }
}
