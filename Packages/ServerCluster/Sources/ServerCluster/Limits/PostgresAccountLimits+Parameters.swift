import ByteCoding
import Cryptography
import ObjectServer
import PostgresClient
import Telemetry

// The parameters of the functions.

extension PostgresAccountLimits {
  /// The time in seconds by a test's clock; NULL for the database's.
  var moment: PostgresParameter {
    testClock.map { .text("\(Double($0.now.nanoseconds) / 1e9)") } ?? .null
  }

  static var unreadable: ServerError {
    ServerError(
      .clusterFailure, "the database of the cluster answers in an unknown form",
      remedy: "start the same release on all nodes")
  }

  static func digest(_ text: String) -> PostgresParameter { .bytes(Digest.sha256.hash(Array(text.utf8))) }

  static func kinds(_ counters: [EventCounter]) -> PostgresParameter {
    .text("{" + counters.map { "\($0.kind.rawValue)" }.joined(separator: ",") + "}")
  }

  static func keys(_ counters: [EventCounter]) -> PostgresParameter {
    // A backslash counts once within an array's quotes.
    .text(
      "{" + counters.map { #""\\x\#(hexText(Digest.sha256.hash(Array($0.key.utf8))))""# }.joined(separator: ",") + "}")
  }

  static func array(_ numbers: [Double]) -> PostgresParameter {
    .text("{" + numbers.map { "\($0)" }.joined(separator: ",") + "}")
  }

  /// The name and the network of a login, which are those of the owner once it has succeeded.
  static func ownership(_ event: AccountEvent) -> (owner: PostgresParameter, origin: PostgresParameter) {
    guard case .login(_, let network) = event,
      let name = event.counters.first(where: { $0.kind == .loginsOfName })
    else { return (.null, .null) }
    return (digest(name.key), digest(network))
  }
}

extension CounterRule {
  /// The rule as the functions of the database take it: seconds, and for a rate 0 as the first delay.
  var numbers: (free: Double, first: Double, cap: Double, forgiving: Double) {
    switch self {
    case .delays(let rule):
      (Double(rule.free), rule.first / .seconds(1), rule.cap / .seconds(1), rule.forgiving / .seconds(1))
    case .rate(let rule): (rule.burst, 0, 0, 1 / rule.perSecond)
    }
  }
}
