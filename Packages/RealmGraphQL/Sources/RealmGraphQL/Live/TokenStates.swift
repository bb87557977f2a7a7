import ChangesetOT
import QueryLanguage

/// The results behind tokens that were given out, so that a subscriber that comes back gets what changed since. The newest
/// ones are kept, up to a number of rows.
struct TokenStates {
  private static let mostRows = 1_000_000
  private static let most = 4_096

  struct State {
    var rows: [QueryRow]
    var position: SaltedServerVersion
    var className: String
    var schemaRevision: UInt64
  }

  private var states: [String: State] = [:]
  private var order: [String] = []
  private var rowCount = 0
  private var nextNumber = UInt64.random(in: 0..<1 << 52)

  subscript(token: String) -> State? { states[token] }

  /// Keeps a result, and answers its token.
  mutating func add(_ state: State) -> String {
    nextNumber += 1
    let token = "\(state.position.version.rawValue)-" + String(nextNumber, radix: 36)
    states[token] = state
    order.append(token)
    rowCount += state.rows.count
    var dropped = 0
    while rowCount > Self.mostRows || order.count - dropped > Self.most, dropped < order.count - 1 {
      if let old = states.removeValue(forKey: order[dropped]) { rowCount -= old.rows.count }
      dropped += 1
    }
    order.removeFirst(dropped)
    return token
  }
}
