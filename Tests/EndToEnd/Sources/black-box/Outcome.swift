/// The comparison of all that apps printed: transactions that were lost or applied twice, and contents that differ.
struct Outcome {
  private(set) var made = 0
  private(set) var acknowledged = 0
  private(set) var lostAcknowledged = 0
  private(set) var lost = 0
  private(set) var twice = 0
  private(set) var isEqual = false
  private let count: Int

  /// - Parameters:
  ///   - said: all lines of all processes, also of those that have ended.
  ///   - apps: the lines of each process that printed its contents.
  init(said: [String], apps: [[String]]) {
    func names(_ word: String) -> Set<String> {
      Set(said.filter { $0.hasPrefix(word + " ") }.map { String($0.dropFirst(word.count + 1)) })
    }
    let (made, acknowledged) = (names("made"), names("acknowledged"))
    let states = apps.map { app in app.filter { $0.hasPrefix("receipt ") || $0.hasPrefix("note ") }.sorted() }
    let receipts = (states.first ?? []).filter { $0.hasPrefix("receipt ") }.map { $0.dropFirst(8) }
    let marks = Dictionary(
      receipts.map { ($0.drop { $0 != " " }.dropFirst().description, Int($0.prefix { $0 != " " }) ?? 0) },
      uniquingKeysWith: +)
    self.made = made.count
    self.acknowledged = acknowledged.count
    lostAcknowledged = acknowledged.filter { marks[$0] == nil }.count
    lost = made.filter { marks[$0] == nil }.count
    twice = marks.values.filter { $0 != 1 }.count
    isEqual = states.allSatisfy { $0 == states.first }
    count = states.count
  }

  /// Whether nothing was lost or applied twice, all contents are equal, and there was something to lose.
  var holds: Bool { lostAcknowledged == 0 && lost == 0 && twice == 0 && isEqual && made > 0 && acknowledged > 0 }

  /// The transactions that could be lost.
  var work: String { "\(made) transactions made, \(acknowledged) seen acknowledged" }

  /// The findings.
  var faults: String {
    "acknowledged and lost \(lostAcknowledged), made and lost \(lost), applied twice \(twice), "
      + "\(isEqual ? "all \(count) equal" : "NOT equal")"
  }
}
