@testable import ObjectServer
import Synchronization
import Testing

@Suite("unused space")
struct VacuumScheduleTests {
  private final class Runs: Sendable {
    private let number = Mutex(0)
    var count: Int { number.withLock { $0 } }

    func next() -> Int {
      number.withLock { number in
        number += 1
        return number
      }
    }
  }

  @Test("is given back once in every interval, also after a run that failed")
  func schedule() throws {
    let runs = Runs()
    let stage = try Stage(
      { $0.vacuumInterval = .seconds(3_600) },
      vacuum: { _ throws(ServerError) in
        if runs.next() == 2 { throw ServerError(.vacuumFailure, "the disk is full", remedy: "make room") }
        return VacuumReport()
      })
    stage.run(.seconds(3_590))
    #expect(runs.count == 0)
    stage.run(.seconds(20))
    #expect(runs.count == 1)
    stage.run(.seconds(3 * 3_600))
    #expect(runs.count == 4)
    stage.stop()
    stage.run(.seconds(2 * 3_600))
    #expect(runs.count == 4)
  }

  @Test("stays where it is without an interval")
  func off() throws {
    let runs = Runs()
    let stage = try Stage(vacuum: { _ throws(ServerError) in
      _ = runs.next()
      return VacuumReport()
    })
    stage.run(.seconds(48 * 3_600))
    #expect(runs.count == 0)
  }
}
