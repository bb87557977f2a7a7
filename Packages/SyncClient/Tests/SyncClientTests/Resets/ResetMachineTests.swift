import ChangesetOT
import RecordStore
import SyncProtocol
import Testing

@testable import SyncClient

/// Conversations with the machine of resets, one line per step.
struct ResetMachineTests {
  private typealias Dialogue = ResetDialogue

  private let begun = ["leave", "announce recover: restored", "delay 1: 0 s"]

  /// A dialogue up to the question about the first of these idents.
  private func asking(_ idents: [UInt64] = [2], _ way: ResetPolicy.Way = .recover) -> Dialogue {
    var reset = Dialogue(way)
    _ = reset.asked()
    _ = reset.delayEnded()
    _ = reset.freshFileMade()
    _ = reset.childFinished()
    _ = reset.incarnationsRead(idents)
    return reset
  }

  @Test("a reset downloads, asks the server what it has, and takes over the state on the same socket")
  func whole() {
    var reset = Dialogue()
    #expect(reset.asked() == begun)
    #expect(reset.delayEnded() == ["fresh 1"])
    #expect(reset.freshFileMade() == ["download 1"])
    #expect(reset.childFinished() == ["close child", "idents 1"])
    #expect(reset.incarnationsRead([9, 5]) == ["probe 1: 9"])
    #expect(reset.probeUnknown() == ["close child", "probe 1: 5"])
    #expect(reset.probeHas(57) == ["close child", "take over 1: recover above 57, forgotten"])
    #expect(reset.takenOver(recovered: 3) == ["drop", "finish: 3 recovered, 0 lost"])
    #expect(reset.machine.attempt == nil)
  }

  @Test("the refusals that the server has not told are kept with the takeover")
  func untold() {
    var reset = asking([2], .recover)
    let write = CompensatingWrite(serverVersion: nil, rejectedClientVersion: ClientVersion(26), rejections: [])
    var answer = Dialogue.failure(.badClientVersion, "too new", .clientReset, 27)
    answer.untold = [write]
    #expect(reset.childFailed(answer) == ["close child", "take over 1: recover above 27, forgotten, 1 untold"])
  }

  @Test("each mode takes over in its way, and manual mode asks the application")
  func modes() {
    var discard = asking([2], .discard)
    #expect(discard.probeHas(7) == ["close child", "take over 1: discard above 20, forgotten"])
    var recover = asking([2], .recover)
    #expect(recover.probeHas(27) == ["close child", "take over 1: recover above 27, forgotten"])
    var either = asking([2], .recoverOrDiscard)
    #expect(either.probeHas(27) == ["close child", "take over 1: recover above 27, forgotten"])
    var manual = Dialogue(.manual)
    #expect(manual.asked() == ["leave", "application: restored"])
    #expect(manual.machine.attempt == nil)
  }

  @Test("where recovery is impossible, recover asks the application and recoverOrDiscard discards")
  func noRecovery() {
    let failure = Dialogue.lost(action: .clientResetNoRecovery)
    var recover = Dialogue(.recover)
    #expect(recover.asked(failure) == ["leave", "application: restored"])
    var either = Dialogue(.recoverOrDiscard)
    #expect(either.asked(failure) == ["leave", "announce discard: restored", "delay 1: 0 s"])
  }

  @Test("the application's consent discards, with a backup, whatever the mode")
  func consent() {
    for way in [ResetPolicy.Way.manual, .recover] {
      var reset = Dialogue(way)
      #expect(reset.agreed() == ["reactivate", "leave", "announce discard: restored", "delay 1: 0 s"])
      #expect(reset.machine.attempt?.backup == "copy")
    }
  }

  @Test("only failures of a restored server count as forgetting")
  func expired() {
    var reset = Dialogue()
    _ = reset.asked(Dialogue.failure(.clientFileExpired, "too old", .clientReset, 4))
    _ = reset.delayEnded()
    _ = reset.freshFileMade()
    _ = reset.childFinished()
    #expect(reset.incarnationsRead([2]) == ["probe 1: 2"])
    #expect(reset.probeHas(24) == ["close child", "take over 1: recover above 24"])
  }

  @Test("a server that never says what it has is not asked: acknowledgements count")
  func silentServer() {
    var reset = Dialogue()
    _ = reset.asked(Dialogue.lost(nil))
    _ = reset.delayEnded()
    _ = reset.freshFileMade()
    _ = reset.childFinished()
    #expect(reset.incarnationsRead([2]) == ["take over 1: recover above acknowledgements, forgotten"])
  }

  @Test("a server that lets a probe in says nothing: acknowledgements count")
  func admittedProbe() {
    var reset = asking()
    #expect(
      reset.childFinished() == ["close child", "take over 1: recover above acknowledgements, forgotten"])
  }

  @Test("a file that never had an ident is taken over without a question")
  func withoutIdent() {
    var reset = asking([])
    #expect(reset.takenOver() == ["drop", "finish: 0 recovered, 0 lost"])
  }

  @Test("lost changes are reported after the end, with the list")
  func loss() {
    var reset = asking()
    _ = reset.probeHas(7)
    #expect(
      reset.takenOver(recovered: 1, lost: 1)
        == ["drop", "finish: 1 recovered, 1 lost", "lost 1 in list"])
  }

  // MARK: Another server

  @Test("when the socket changed between download and takeover, everything begins anew")
  func otherSocket() {
    let anew = ["close child", "drop", "leave", "announce recover: restored", "delay 2: 0 s"]
    let other = Dialogue.socket(number: 2)
    var gone = Dialogue()
    _ = gone.asked()
    _ = gone.delayEnded()
    _ = gone.freshFileMade()
    #expect(gone.childFinished(on: nil) == anew)
    var afterAnswer = asking()
    #expect(afterAnswer.probeHas(7, on: other) == ["close child"] + anew)
    var afterAdmission = asking()
    #expect(afterAdmission.childFinished(on: other) == ["close child"] + anew)
    var unasked = Dialogue()
    _ = unasked.asked(Dialogue.lost(nil))
    _ = unasked.delayEnded()
    _ = unasked.freshFileMade()
    _ = unasked.childFinished()
    #expect(unasked.incarnationsRead([2], on: other) == anew)
  }

  @Test("a socket that changes between two questions is noticed after the last one")
  func otherSocketBetweenQuestions() {
    var reset = asking([9, 5])
    let other = Dialogue.socket(number: 2)
    let unknown = Dialogue.failure(.badClientFileIdent, "who?", .clientReset, 0)
    #expect(reset.childFailed(unknown, on: other) == ["close child", "probe 1: 5"])
    #expect(reset.probeHas(57, on: other).last == "delay 2: 0 s")
  }

  @Test("a passing failure of the child begins anew, any other ends the reset with a report")
  func childFailures() {
    let anew = ["close child", "drop", "leave", "announce recover: restored", "delay 2: 0 s"]
    func downloading() -> Dialogue {
      var reset = Dialogue()
      _ = reset.asked()
      _ = reset.delayEnded()
      _ = reset.freshFileMade()
      return reset
    }
    for start in [downloading(), asking()] {
      var reset = start
      #expect(reset.childFailed(Dialogue.failure(.sessionClosed, "bye", .transient)) == anew)
      reset = start
      #expect(
        reset.childFailed(Dialogue.failure(.permissionDenied, "not yours", .applicationBug))
          == ["close child", "drop", "report: not yours"])
      #expect(reset.machine.attempt == nil)
      reset = start
      #expect(reset.childFailed(nil) == ["close child", "drop", "report: restored"])
    }
    var reset = downloading()
    #expect(reset.childFailed(Dialogue.lost()) == anew)
  }

  @Test("changesets that do not fit are counted, of the session and of its child")
  func divergences() {
    let bad = Dialogue.failure(.badChangeset, "bad")
    var reset = Dialogue()
    #expect(reset.asked(bad) == ["diverged", "leave", "announce recover: bad", "delay 1: 0 s"])
    #expect(reset.asked(bad) == ["diverged", "report: bad"])
    _ = reset.delayEnded()
    _ = reset.freshFileMade()
    #expect(reset.childFailed(bad).first == "diverged")
  }

  // MARK: Several resets

  @Test("a second request while a reset runs is reported, and changes nothing")
  func second() {
    var reset = Dialogue()
    _ = reset.asked()
    let before = reset.machine
    #expect(reset.asked() == ["report: restored"])
    #expect(reset.agreed() == [])
    #expect(reset.machine == before)
  }

  @Test("answers to an earlier attempt are ignored")
  func stale() {
    var reset = Dialogue()
    _ = reset.asked()
    _ = reset.cancel()
    _ = reset.asked()
    #expect(reset.delayEnded(1) == [])
    #expect(reset.delayEnded(2) == ["fresh 2"])
    #expect(reset.freshFileMade(1) == [])
    #expect(reset.fileFailed(1) == [])
    #expect(reset.freshFileMade(2) == ["download 2"])
    #expect(reset.childFinished(1) == [])
    #expect(reset.childFailed(nil, 1) == [])
    #expect(reset.childFinished(2) == ["close child", "idents 2"])
    #expect(reset.incarnationsRead([5], 1) == [])
    #expect(reset.incarnationsRead([5], 2) == ["probe 2: 5"])
    #expect(reset.probeHas(50, 1) == [])
    #expect(reset.probeHas(50, 2) == ["close child", "take over 2: recover above 50, forgotten"])
    #expect(reset.takenOver(1) == [])
    #expect(reset.takenOver(2) == ["drop", "finish: 0 recovered, 0 lost"])
  }

  @Test("attempts that do not help follow each other after ever longer, until data flows")
  func delays() {
    var reset = Dialogue()
    var delays: [String] = []
    for _ in 0..<4 {
      delays += reset.asked().suffix(1)
      _ = reset.cancel()
    }
    #expect(delays == ["delay 1: 0 s", "delay 2: 0 s", "delay 3: 2 s", "delay 4: 4 s"])
    reset.progressed()
    #expect(reset.asked().last == "delay 5: 0 s")
  }

  @Test("a recovered upload that is refused again is discarded, until everything is uploaded")
  func refusedAgain() {
    let bad = Dialogue.failure(.badChangeset, "bad", .clientReset, 4)
    var reset = Dialogue(.recoverOrDiscard)
    func run(_ attempt: UInt64) -> String? {
      let begin = reset.asked(bad)
      _ = reset.delayEnded(attempt)
      _ = reset.freshFileMade(attempt)
      _ = reset.childFinished(attempt)
      _ = reset.incarnationsRead([], attempt)
      _ = reset.takenOver(attempt)
      return begin.first { $0.hasPrefix("announce") }
    }
    #expect(run(1) == "announce recover: bad")
    #expect(run(2) == "announce discard: bad")
    reset.caughtUp()
    #expect(run(3) == "announce recover: bad")
  }
}
