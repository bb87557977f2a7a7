import Foundation

/// Seconds that `body` takes.
func seconds(_ body: () throws -> Void) rethrows -> Double {
  let clock = ContinuousClock()
  let duration = try clock.measure(body)
  return Double(duration.components.seconds) + Double(duration.components.attoseconds) * 1e-18
}

/// Processor seconds that this process spends on `body`: what others do on the machine does not count.
func processorSeconds(_ body: () throws -> Void) rethrows -> Double {
  func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }
  let start = now()
  try body()
  return now() - start
}

/// The middle of several measurements, each after the other.
func medianSeconds(of runs: Int, _ body: () throws -> Void) rethrows -> Double {
  var times: [Double] = []
  for _ in 0..<runs { times.append(try seconds(body)) }
  return median(times)
}

/// The middle value; 0 for none.
func median(_ values: [Double]) -> Double {
  let sorted = values.sorted()
  return sorted.isEmpty ? 0 : sorted[sorted.count / 2]
}

/// Measures two bodies alternately, so that a disturbance of the machine meets both, and gives the median of each.
func medians(of runs: Int, ours: () throws -> Void, rival: () throws -> Void) rethrows -> (ours: Double, rival: Double)
{
  var first: [Double] = []
  var second: [Double] = []
  for _ in 0..<runs {
    first.append(try seconds(ours))
    second.append(try seconds(rival))
  }
  return (median(first), median(second))
}

/// Keeps the optimiser from removing the computation of a value.
@inline(never) func consume<T>(_ value: T) {}

/// A folder that is removed when the program ends.
struct ScratchFolder {
  let url: URL
  init(_ name: String) throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("openrealm-bench-\(name)-\(getpid())")
    try? FileManager.default.removeItem(at: url)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }
  func remove() { try? FileManager.default.removeItem(at: url) }
}

/// Prints a line that appears at once, also in a pipe.
func say(_ line: String) {
  print(line)
  fflush(nil)
}
