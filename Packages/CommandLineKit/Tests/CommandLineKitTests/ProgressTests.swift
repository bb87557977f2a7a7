import Synchronization
import Testing
@testable import CommandLineKit

@Suite("Progress") struct ProgressTests {
  @Test("the line has count, share, rate and time left, not at once and not too often")
  func meter() {
    var meter = ProgressMeter(unit: "objects", now: 100)
    #expect(meter.line("writing", count: 10, share: 0.01, now: 100.2) == nil)
    #expect(
      meter.line("writing", count: 1_234_567, share: 0.25, now: 102)
        == "writing  1,234,567 objects  25%  685,870/s  6 s left")
    #expect(meter.line("writing", count: 1_300_000, share: 0.3, now: 102.05) == nil)
    // Another part has a rate of its own.
    #expect(meter.line("syncing", count: 5, share: nil, now: 104) == "syncing  5 objects")
    #expect(meter.line("syncing", count: 25, share: nil, now: 106) == "syncing  25 objects  12/s")
  }

  @Test("numbers and times are for people")
  func words() {
    #expect([0, 999, 1000, 1_000_000].map(ProgressMeter.grouped) == ["0", "999", "1,000", "1,000,000"])
    #expect([0.2, 59, 61, 3725].map(ProgressMeter.time) == ["1 s", "59 s", "1:01 min", "1:02 h"])
    #expect(ProgressMeter.time(.infinity) == "99:59 h")
    #expect(ProgressMeter.time(.nan) == "0 s")
  }

  @Test("a terminal sees the line, which goes at the end; a pipe sees nothing", arguments: [nil, 20] as [Int?])
  func line(columns: Int?) {
    let errors = Mutex("")
    let now = Mutex(0.0)
    let console = Console(
      output: { _ in }, errors: { text in errors.withLock { $0 += text } }, errorColumns: columns)
    let line = ProgressLine(console, unit: "rows") { now.withLock { $0 } }
    now.withLock { $0 = 1 }
    line.update("writing\u{1B}[2J", count: 7, share: 0.5)
    line.end()
    line.update("writing", count: 8)
    #expect(
      errors.withLock { $0 } == (columns == nil ? "" : "\r\u{1B}[Kwriting␛[2J  7 row…\r\u{1B}[K"))
  }
}
