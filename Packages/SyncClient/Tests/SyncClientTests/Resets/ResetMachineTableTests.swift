import SyncProtocol
import Testing

@testable import SyncClient

/// Every event in every state: the table names the answers, and whatever it does not name is ignored.
struct ResetMachineTableTests {
  enum Place: CaseIterable {
    case idle, waiting, preparing, downloading, reading, asking, takingOver, closed

    /// A machine that has come so far.
    var dialogue: ResetDialogue {
      var reset = ResetDialogue(.recover)
      let steps: [(inout ResetDialogue) -> [String]] = [
        { $0.asked() }, { $0.delayEnded() }, { $0.freshFileMade() }, { $0.childFinished() },
        { $0.incarnationsRead([9, 5]) }, { $0.probeHas(91) },
      ]
      switch self {
      case .idle: break
      case .closed: _ = reset.close()
      case .waiting: steps.prefix(1).forEach { _ = $0(&reset) }
      case .preparing: steps.prefix(2).forEach { _ = $0(&reset) }
      case .downloading: steps.prefix(3).forEach { _ = $0(&reset) }
      case .reading: steps.prefix(4).forEach { _ = $0(&reset) }
      case .asking: steps.prefix(5).forEach { _ = $0(&reset) }
      case .takingOver: steps.prefix(6).forEach { _ = $0(&reset) }
      }
      return reset
    }
  }

  enum Event: CaseIterable {
    case asked, agreed, delayEnded, reconnect, freshFileMade, childFinished, childRefused, childDisconnected
    case childDenied, incarnationsRead, takenOver, fileFailed, cancel, close

    func feed(_ reset: inout ResetDialogue) -> [String] {
      switch self {
      case .asked: reset.asked()
      case .agreed: reset.agreed()
      case .delayEnded: reset.delayEnded()
      case .reconnect: reset.reconnect()
      case .freshFileMade: reset.freshFileMade()
      case .childFinished: reset.childFinished()
      case .childRefused: reset.probeUnknown()
      case .childDisconnected: reset.childFailed(ResetDialogue.failure(.sessionClosed, "bye", .transient), on: nil)
      case .childDenied: reset.childFailed(ResetDialogue.failure(.permissionDenied, "not yours", .applicationBug))
      case .incarnationsRead: reset.incarnationsRead([9, 5])
      case .takenOver: reset.takenOver()
      case .fileFailed: reset.fileFailed()
      case .cancel: reset.cancel()
      case .close: reset.close()
      }
    }
  }

  private static let dropped = ["close child", "drop"]
  private static let anew = dropped + ["leave", "announce recover: restored", "delay 2: 0 s"]
  private static let denied = dropped + ["report: not yours"]
  private static let failed =
    dropped + ["log: disk full", "leave", "application: restored; the reset failed: disk full"]
  private static let busy: [Event: [String]] = [.asked: ["report: restored"], .cancel: dropped, .close: dropped]

  /// The answers by state and event.
  private static let table: [Place: [Event: [String]]] = [
    .idle: [
      .asked: ["leave", "announce recover: restored", "delay 1: 0 s"],
      .agreed: ["reactivate", "leave", "announce discard: restored", "delay 1: 0 s"],
    ],
    .waiting: [.delayEnded: ["fresh 1"], .reconnect: ["fresh 1"]],
    .preparing: [.freshFileMade: ["download 1"], .fileFailed: failed],
    .downloading: [
      .reconnect: ["reconnect child"], .childFinished: ["close child", "idents 1"], .childRefused: anew,
      .childDisconnected: anew, .childDenied: denied,
    ],
    .reading: [.incarnationsRead: ["probe 1: 9"], .fileFailed: failed],
    .asking: [
      .reconnect: ["reconnect child"],
      .childFinished: ["close child", "take over 1: recover above acknowledgements, forgotten"],
      .childRefused: ["close child", "probe 1: 5"], .childDisconnected: anew, .childDenied: denied,
    ],
    .takingOver: [.takenOver: ["drop", "finish: 0 recovered, 0 lost"], .fileFailed: failed],
    .closed: [.asked: ["report: restored"]],
  ]

  private static func answer(_ place: Place, _ event: Event) -> [String] {
    if let named = table[place]?[event] { return named }
    switch place {
    case .idle, .closed: return []
    case .waiting, .preparing, .downloading, .reading, .asking, .takingOver: return busy[event] ?? []
    }
  }

  @Test("every event has its answer in every state", arguments: Place.allCases)
  func answers(_ place: Place) {
    for event in Event.allCases {
      var reset = place.dialogue
      #expect(event.feed(&reset) == Self.answer(place, event), "\(event) while \(place)")
    }
  }

  @Test("an event without an answer changes nothing", arguments: Place.allCases)
  func ignored(_ place: Place) {
    for event in Event.allCases where Self.answer(place, event).isEmpty && event != .close {
      var reset = place.dialogue
      _ = event.feed(&reset)
      #expect(reset.machine == place.dialogue.machine, "\(event) while \(place)")
    }
  }

  @Test("a cancelled reset leaves nothing under way, and a later one begins", arguments: Place.allCases)
  func cancelled(_ place: Place) {
    var reset = place.dialogue
    _ = reset.cancel()
    #expect(reset.machine.attempt == nil)
    #expect(reset.asked().contains { $0.hasPrefix("delay") } == (place != .closed))
  }

  @Test("after the end of the session no reset begins", arguments: Place.allCases)
  func closed(_ place: Place) {
    var reset = place.dialogue
    _ = reset.close()
    #expect(reset.machine.attempt == nil)
    #expect(reset.asked() == ["report: restored"])
    #expect(reset.agreed() == [])
  }

  @Test("a file that is never reset reports every request")
  func never() {
    var reset = ResetDialogue(ResetMachine.never)
    #expect(reset.asked() == ["report: restored"])
    #expect(reset.machine.attempt == nil)
  }
}
