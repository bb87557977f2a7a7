import ChangesetOT
import ChangesetOTTestSupport
import Foundation

/// The last step of a merge whose memory is measured.
enum MergeStage: String {
  /// Both histories are rebased over each other.
  case merged
  /// The result is also applied to a server's file.
  case applied
}

/// The most memory in MiB that merging 10,000 against 10,000 edits takes on top of what is there before.
///
/// The measurement has a process of its own, because memory that earlier measurements freed would be reused uncounted.
func peakMegabytes(of shape: MergeWorkload.Shape, _ stage: MergeStage) throws -> Double {
  let child = try LineProcess(LineProcess.sibling("Benchmarks"), ["--peak-memory", shape.rawValue, stage.rawValue])
  defer { child.stop() }
  guard let bytes = Double(try child.line()) else { throw BenchmarkFailure("the memory of a merge was not measured") }
  return bytes / 1_048_576
}

/// The measuring process: prints the bytes.
func printPeakMemory(of shape: MergeWorkload.Shape, _ stage: MergeStage) throws -> Never {
  let work = MergeWorkload.make(shape, count: 10_000)
  switch stage {
  case .merged:
    var (local, incoming) = (work.local, work.incoming)
    say("\(try peakBytes { try Transformer().transform(local: &local, incoming: &incoming) })")
  case .applied:
    let merge = try AppliedMerge(work, on: MergeWorkload.base(of: shape))
    say("\(try peakBytes { try merge.run() })")
  }
  exit(0)
}

/// The most memory that a body takes on top of what is in use, in bytes.
private func peakBytes(_ body: () throws -> Void) throws -> Double {
  releaseFreeMemory()
  // Writing 5 resets the high-water mark of the resident set.
  try "5".write(toFile: "/proc/self/clear_refs", atomically: false, encoding: .utf8)
  let before = try memoryBytes("VmRSS:", of: getpid())
  try body()
  return try memoryBytes("VmHWM:", of: getpid()) - before
}

/// Gives the free pages of the heap back to the system, so that using them again counts.
func releaseFreeMemory() {
  // The function is looked up by name, because the C library's module map does not declare it.
  guard let symbol = dlsym(nil, "malloc_trim") else { return }
  // unsafeBitCast: `int malloc_trim(size_t)`, as the library declares it.
  _ = unsafeBitCast(symbol, to: (@convention(c) (Int) -> CInt).self)(0)
}

/// A line of `/proc/<pid>/status`, in bytes: `VmRSS:` is the resident set, `VmHWM:` its high-water mark.
func memoryBytes(_ name: String, of process: Int32) throws -> Double {
  let text = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
  for line in text.split(separator: "\n") where line.hasPrefix(name) {
    if let kilobytes = line.split(whereSeparator: { !$0.isNumber }).first.flatMap({ Double($0) }) {
      return kilobytes * 1024
    }
  }
  throw BenchmarkFailure("the memory of process \(process) cannot be read")
}
