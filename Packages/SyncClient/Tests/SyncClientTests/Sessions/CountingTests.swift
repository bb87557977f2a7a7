@testable import SyncClient
import Testing
import TransportSimulated

/// The number of pending uploads in the status.
struct CountingTests {
  @Test("pending uploads are counted at once when there were none, and then every 100 ms at most")
  func counting() {
    let (stage, file, session) = Stage.withOneDevice()
    session.suspend()
    stage.run()
    let before = file.content.withLock(\.counts)
    var counts: Int { file.content.withLock(\.counts) - before }
    #expect(session.status.pendingUploads == 0)
    file.commit([1])
    stage.run(.milliseconds(1))
    // The status must not say that everything is uploaded.
    #expect(session.status.pendingUploads == 1)
    #expect(counts == 1)
    file.commit([2])
    stage.run(.milliseconds(98))
    #expect(session.status.pendingUploads == 1)
    #expect(counts == 1)
    stage.run(.milliseconds(3))
    #expect(session.status.pendingUploads == 2)
    #expect(counts == 2)
    for number in 3...102 as ClosedRange<UInt8> {
      file.commit([number])
      stage.run(.milliseconds(5))
    }
    #expect(counts == 6, "four times 100 ms, and up to the next commit")
    stage.run(.milliseconds(101))
    #expect(session.status.pendingUploads == 102)
    #expect(counts == 7)
    // Without commits nothing is counted.
    stage.run(.seconds(10))
    #expect(counts == 7)
  }

  @Test("the count falls to zero with the last acknowledgement")
  func countingDown() {
    let (stage, file, session) = Stage.withOneDevice()
    file.commit([1])
    stage.run(.milliseconds(1))
    #expect(session.status.pendingUploads == 1)
    var waited = 0
    while session.status.transfer.uploaded == 0, waited < 1_000 {
      stage.run(.milliseconds(1))
      waited += 1
    }
    stage.run(.milliseconds(1))
    #expect(session.status.pendingUploads == 0)
  }

  @Test("commits in a row wake the loop once")
  func commitsInARow() {
    let (stage, file, session) = Stage.withOneDevice()
    let before = file.content.withLock(\.counts)
    for number in 1...50 as ClosedRange<UInt8> { file.commit([number]) }
    stage.run(.milliseconds(1))
    #expect(file.content.withLock(\.counts) == before + 1)
    #expect(session.status.pendingUploads == 50)
    stage.run()
    #expect(stage.server.realm("/ann/todo").history.count == 50)
    #expect(session.status.pendingUploads == 0)
  }

  @Test("commits held back while changes are coalesced are counted when the session leaves the connection")
  func coalescingEnds() {
    for leaves in [
      { (_: Stage, session: SyncSession) in session.suspend() },
      { stage, _ in stage.network.breakConnections(between: "one", and: "server") },
    ] {
      let (stage, file, session) = Stage.withOneDevice()
      stage.network.partition(["one"], from: ["server"])
      file.commit([1])
      stage.run(.milliseconds(5))
      file.commit([2])
      stage.run(.milliseconds(1))
      // These wake nothing: the next scan finds them, after the acknowledgement or the timer.
      file.commit([3])
      file.commit([4])
      leaves(stage, session)
      stage.run(.milliseconds(131))
      #expect(session.status.pendingUploads == 4)
      file.commit([5])
      stage.run(.milliseconds(101))
      #expect(session.status.pendingUploads == 5)
      stage.network.heal()
      session.resume()
      stage.run(.seconds(10))
      #expect(stage.server.realm("/ann/todo").history.count == 5)
      file.commit([6])
      stage.run()
      #expect(stage.server.realm("/ann/todo").history.count == 6)
      #expect(session.status.pendingUploads == 0)
    }
  }
}
