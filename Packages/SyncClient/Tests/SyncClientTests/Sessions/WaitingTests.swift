@testable import SyncClient
import Testing

/// Waits for uploads and downloads.
struct WaitingTests {
  @Test("waits end when the server has everything, and when everything is in the file")
  func waiting() {
    let stage = Stage()
    let one = PlainFile()
    let two = PlainFile()
    let first = stage.open(one, by: stage.client("one"))
    let second = stage.open(two, by: stage.client("two"))
    let done = Box<[String]>([])
    one.commit([1])
    first.waitForUpload { _ in done.change { $0.append("up") } }
    stage.run()
    #expect(done.value == ["up"])
    #expect(stage.server.realm("/ann/todo").history.count == 1)
    second.waitForDownload { _ in
      #expect(two.shown == [[1]])
      done.change { $0.append("down") }
    }
    stage.run()
    #expect(done.value == ["up", "down"])
  }

  @Test("a wait begun while offline ends after the reconnect")
  func waitingOffline() {
    let (stage, file, session) = Stage.withOneDevice()
    session.suspend()
    stage.run()
    file.commit([1])
    let done = Box(false)
    session.waitForUpload { result in done.value = (try? result.get()) != nil }
    stage.run()
    #expect(!done.value)
    session.resume()
    stage.run(.seconds(3))
    #expect(done.value)
  }
}
