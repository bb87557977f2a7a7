import ChangesetOT
import SyncProtocol
import Testing

/// The order and the pauses of integrations.
struct DownloadIntegrationTests {
  let one = ClientDialogue.one

  @Test("DOWNLOADs that arrive during an integration are integrated together, up to a MARK")
  func waitingDownloads() {
    var client = ClientDialogue()
    client.connect()
    #expect(client.hear("download 1 1 0 1 9 0 0 0 0 13 0\n1 0 1 3 1 1 a") == ["integrate 1 to 1"])
    #expect(client.hear("download 1 2 0 2 9 0 0 0 0 13 0\n2 0 1 3 1 1 b") == [])
    #expect(client.hear(ClientDialogue.download(3, 0)) == [])
    #expect(client.hear("download 1 4 0 4 9 0 0 0 0 13 0\n4 0 1 3 1 1 c") == [])
    #expect(client.happen(.waitForDownloads(one, WaitIdent(rawValue: 5))) == ["> mark 1 2"])
    #expect(client.hear("mark 1 2\n") == [])
    #expect(client.hear("download 1 5 0 5 9 0 0 0 0 13 0\n5 0 1 3 1 1 d") == [])
    #expect(client.finish(1, newest: 5) == ["integrate 2 to 4"])
    #expect(client.machine.waitingDownloadBytes == 1)
    #expect(client.finish(4, newest: 6) == ["downloaded 5", "integrate 1 to 5"])
    #expect(client.machine.waitingDownloadBytes == 0)
  }

  @Test("DOWNLOADs are integrated together up to 256 KiB")
  func manyWaitingBytes() {
    var client = ClientDialogue()
    client.connect()
    func download(_ version: Int, _ bytes: Int) -> String {
      let entry = "\(version) 0 1 3 \(bytes) \(bytes) " + String(repeating: "x", count: bytes)
      return "download 1 \(version) 0 \(version) 9 0 0 0 0 \(entry.utf8.count) 0\n" + entry
    }
    #expect(client.hear(download(1, 10)) == ["integrate 1 to 1"])
    for version in 2...4 { #expect(client.hear(download(version, 100 << 10)) == []) }
    #expect(client.finish(1, newest: 5) == ["integrate 2 to 3"])
    #expect(client.finish(3, newest: 6) == ["integrate 1 to 4"])
  }

  @Test("a long integration is followed by a pause, in which arrivals coalesce")
  func pause() {
    var client = ClientDialogue()
    client.connect()
    #expect(client.hear(many(1)) == ["integrate 16 to 16"])
    client.now += .milliseconds(10)
    #expect(client.finish(16, newest: 5) == [])
    #expect(client.hear(ClientDialogue.download(17, 0)) == ["timer throttle 30 ms"])
    client.now += .milliseconds(5)
    #expect(client.hear(many(18)) == [])
    client.now += .milliseconds(25)
    #expect(client.happen(.timerEnded(.throttle(one))) == ["integrate 16 to 33"])
    client.now += .milliseconds(500)
    #expect(client.finish(33, newest: 6) == [])
    #expect(client.hear(ClientDialogue.download(34, 0)) == ["timer throttle 100 ms"], "no pause is longer")
    #expect(client.happen(.deactivate(one)) == ["1 deactivating", "> unbind 1"])
    #expect(client.hear("unbound 1\n") == ["stop throttle", "gone 1"])
  }

  /// A DOWNLOAD of 16 changesets, from a version on.
  private func many(_ first: Int) -> String {
    let body = (first..<first + 16).map { "\($0) 0 1 3 1 1 a" }.joined()
    return "download 1 \(first + 15) 0 \(first + 15) 9 0 0 0 0 \(body.utf8.count) 0\n" + body
  }

  @Test("there is no pause after a quick or small integration, while much arrives, or while the application waits")
  func noPause() {
    func paused(_ took: Duration, of download: String? = nil) -> ClientDialogue {
      var client = ClientDialogue()
      client.connect()
      _ = client.hear(download ?? many(1))
      client.now += took
      _ = client.finish(16, newest: 5)
      return client
    }
    var client = paused(.milliseconds(500), of: ClientDialogue.download(16, 0))
    #expect(client.hear(ClientDialogue.download(17, 0)) == ["integrate 0 to 17"])
    client = paused(.milliseconds(4))
    #expect(client.hear(ClientDialogue.download(17, 0)) == ["integrate 0 to 17"])
    client = paused(.milliseconds(10))
    let entry = "17 0 1 3 262144 262144 " + String(repeating: "x", count: 256 << 10)
    #expect(client.hear("download 1 17 0 17 9 0 0 0 0 \(entry.utf8.count) 0\n" + entry) == ["integrate 1 to 17"])
    client = paused(.milliseconds(10))
    #expect(client.hear(ClientDialogue.download(17, 0)) == ["timer throttle 30 ms"])
    #expect(
      client.happen(.waitForDownloads(one, WaitIdent(rawValue: 5))) == ["integrate 0 to 17", "> mark 1 2"])
    #expect(client.happen(.timerEnded(.throttle(one))) == [], "the timer finds nothing to do")
    client = paused(.milliseconds(10))
    #expect(client.hear(ClientDialogue.download(17, 0)) == ["timer throttle 30 ms"])
    #expect(client.happen(.waitForUploads(one, WaitIdent(rawValue: 6))).contains("integrate 0 to 17"))
    client = paused(.milliseconds(10))
    client.now += .milliseconds(30)
    #expect(client.hear(ClientDialogue.download(17, 0)) == ["integrate 0 to 17"], "the pause is over")
  }
}
