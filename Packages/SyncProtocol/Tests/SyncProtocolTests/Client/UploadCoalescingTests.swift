import ChangesetOT
import SyncProtocol
import Testing

/// The times at which changes go out together.
struct UploadCoalescingTests {
  let one = ClientDialogue.one

  @Test("commits coalesce while a small UPLOAD is not acknowledged, and go out together without further events")
  func coalescing() {
    var client = ClientDialogue()
    client.connect()
    #expect(client.scanned([2], to: 4) == ["> upload 1 0 11 0 4 0 0", "timer coalesce 30 ms"])
    client.now += .milliseconds(10)
    #expect(client.happen(.localCommit(one, newest: ClientVersion(5))) == [])
    #expect(client.happen(.localCommit(one, newest: ClientVersion(6))) == [])
    #expect(client.hear(ClientDialogue.download(1, 4)) == ["stop coalesce", "scan after 4", "integrate 0 to 1"])
    // The scan found a commit without an event; the server may acknowledge it.
    #expect(client.scanned([5, 6, 7], to: 7) == ["> upload 1 0 33 0 7 0 0", "timer coalesce 30 ms"])
    #expect(client.hear(ClientDialogue.download(2, 7)) == ["stop coalesce"])
    #expect(client.happen(.localCommit(one, newest: ClientVersion(8))) == ["scan after 7"], "nothing is unacknowledged")
    #expect(client.scanned([8], to: 8) == ["> upload 1 0 11 0 8 0 0", "timer coalesce 30 ms"])
    #expect(client.happen(.localCommit(one, newest: ClientVersion(9))) == [])
    #expect(client.happen(.waitForUploads(one, WaitIdent(rawValue: 3))) == ["stop coalesce", "scan after 8"])
  }

  @Test("a stream coalesces for 100 ms with a quick server, unless the application waits")
  func streams() {
    var client = ClientDialogue()
    client.connect()
    #expect(client.scanned([1, 2, 3], to: 4).last == "timer coalesce 30 ms", "three are no stream")
    #expect(client.hear(ClientDialogue.download(1, 4)).contains("stop coalesce"))
    #expect(client.happen(.localCommit(one, newest: ClientVersion(8))) == ["scan after 4"])
    #expect(client.scanned([5, 6, 7, 8], to: 8).last == "timer coalesce 100 ms")
    client.now += .milliseconds(10)
    #expect(client.hear(ClientDialogue.download(2, 8)) == [])
    #expect(client.happen(.localCommit(one, newest: ClientVersion(9))) == [])
    client.now += .milliseconds(90)
    #expect(client.happen(.timerEnded(.coalesce(one))) == ["scan after 8"])
    #expect(client.scanned([9, 10, 11, 12], to: 12).last == "timer coalesce 100 ms")
    #expect(client.happen(.localCommit(one, newest: ClientVersion(13))) == [])
    #expect(client.happen(.waitForUploads(one, WaitIdent(rawValue: 3))) == ["stop coalesce", "scan after 12"])
  }

  @Test("nothing coalesces after a large UPLOAD or an empty one")
  func noCoalescing() {
    var client = ClientDialogue()
    client.connect()
    #expect(client.scanned([], to: 4) == ["> upload 1 0 0 0 4 0 0"])
    #expect(client.happen(.localCommit(one, newest: ClientVersion(40_000))) == ["scan after 4"])
    let many = client.scanned(Array(5...32_772), to: 40_000)
    #expect(many.count == 1)
    #expect(many.first?.hasPrefix("> upload") == true)
  }

  @Test(
    "changes coalesce longer while the server acknowledges much later than before")
  func coalescingForAServerThatIsBehind() {
    var client = ClientDialogue()
    client.connect()
    func upload(_ version: UInt64, to newest: UInt64? = nil) -> String? {
      client.scanned([version], to: newest ?? version).last
    }
    func commit(_ version: UInt64) -> [String] { client.happen(.localCommit(one, newest: ClientVersion(version))) }
    #expect(upload(2, to: 4) == "timer coalesce 30 ms")
    client.now += .milliseconds(10)
    _ = client.hear(ClientDialogue.download(1, 4))
    #expect(commit(5) == ["scan after 4"])
    #expect(upload(5) == "timer coalesce 30 ms", "it was quick")
    client.now += .milliseconds(41)
    _ = client.hear(ClientDialogue.download(2, 5))
    #expect(commit(6) == ["scan after 5"])
    #expect(upload(6) == "timer coalesce 100 ms", "it took 30 ms longer than before")
    #expect(commit(7) == [])
    client.now += .milliseconds(40)
    #expect(
      client.hear(ClientDialogue.download(3, 6)) == ["stop coalesce", "scan after 6"], "nothing is unacknowledged")
    #expect(upload(7) == "timer coalesce 30 ms", "it is quick again")
    #expect(commit(8) == [])
    client.now += .milliseconds(30)
    #expect(client.happen(.timerEnded(.coalesce(one))) == ["scan after 7"])
    #expect(upload(8) == "timer coalesce 30 ms")
    #expect(commit(9) == [])
    client.now += .milliseconds(30)
    #expect(client.happen(.timerEnded(.coalesce(one))) == ["scan after 8"])
    #expect(upload(9) == "timer coalesce 100 ms", "it has not answered for 60 ms")
  }
}
