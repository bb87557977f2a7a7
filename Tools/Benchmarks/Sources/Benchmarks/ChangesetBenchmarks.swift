import ChangesetOT
import ChangesetOTTestSupport
import DataModel
import Foundation

/// The time in which one side transforms two offline histories against each other.
///
/// Rivals are time budgets, the time for half the length, and the plain engine, which defines the result and is not meant
/// to be quick. Realm's own engine needs 8.6 to 11.2 s per side for 10,000 against 10,000 edits of one list.
let changesetBenchmarks = Suite(prefix: "ot.") { report in
  func merge(_ work: MergeWorkload, _ engine: Transformer.Engine = .fast) throws -> Double {
    var (local, incoming) = (work.local, work.incoming)
    return try seconds { try Transformer(engine: engine).transform(local: &local, incoming: &incoming) }
  }
  func median3(_ work: MergeWorkload) throws -> Double { median(try (0..<3).map { _ in try merge(work) }) }

  for (shape, name) in [
    (MergeWorkload.Shape.listInserts, "insertions at random places"), (.listAppends, "appends"),
    (.listMix, "insert, write, move, remove"),
  ] {
    let id = "ot.\(shape.rawValue)"
    guard report.wants(id) else { continue }
    let (long, short) = (MergeWorkload.make(shape, count: 10_000), MergeWorkload.make(shape, count: 5_000))
    // In turn: a disturbance of the machine affects both lengths.
    var times: (full: [Double], half: [Double]) = ([], [])
    for _ in 0..<7 {
      times.full.append(try merge(long))
      times.half.append(try merge(short))
    }
    let (full, half) = (median(times.full), median(times.half))
    report.row("\(id)-10k", "one list, 10k x 10k \(name)", ours: full, rival: 0.5, unit: "s", .costAtMost(1))
    try report.applied(shape, count: 10_000, id: "\(id)-applied-10k", "the same, merged and applied", 0.5)
    report.row("\(id)-growth", "10k x 10k against 5k x 5k", ours: full, rival: half, unit: "s", .costAtMost(2.5))
    let small = MergeWorkload.make(shape, count: 1_000)
    report.row(
      "\(id)-plain", "1k x 1k, rival: the plain engine", ours: try median3(small), rival: try merge(small, .plain),
      unit: "s")
  }
  for (shape, name) in [
    (MergeWorkload.Shape.hotField, "one hot field"), (.hotCounter, "one hot counter"),
    (.sharedObjects, "1,000 shared objects"), (.equalCreations, "equal creations"),
    (.objectMix, "mix on 1,000 objects"), (.dictionary, "one dictionary"),
  ] {
    let id = "ot.\(shape.rawValue)"
    guard report.wants(id) else { continue }
    report.row(
      "\(id)-10k", "10k x 10k changesets, \(name)", ours: try median3(.make(shape, count: 10_000)), rival: 0.1,
      unit: "s", .costAtMost(1))
    // A mix on objects erases what it writes to, and cannot be applied to a state.
    if shape != .objectMix {
      try report.applied(shape, count: 10_000, id: "\(id)-applied-10k", "the same, merged and applied", 0.5)
    }
    let small = MergeWorkload.make(shape, count: 1_000)
    report.row(
      "\(id)-plain", "1k x 1k, rival: the plain engine", ours: try median3(small), rival: try merge(small, .plain),
      unit: "s")
  }
  if report.wants("ot.transactions") {
    let work = MergeWorkload.make(.sharedObjects, count: 500, incomingCount: 1_500, instructions: 10)
    report.row(
      "ot.transactions-500x1500", "500 x 1,500 transactions of 20 instructions", ours: try median3(work), rival: 0.3,
      unit: "s", .costAtMost(1))
    report.row(
      "ot.transactions-plain", "the same, rival: the plain engine", ours: try median3(work),
      rival: try merge(work, .plain), unit: "s")
    try report.applied(
      work, .sharedObjects, id: "ot.transactions-applied-500x1500", "the same, merged and applied", 1.5)
  }
  if report.wants("ot.memory") {
    for shape in [MergeWorkload.Shape.listMix, .sharedObjects] {
      report.row(
        "ot.memory-\(shape.rawValue)", "peak memory of merging 10k x 10k", ours: try peakMegabytes(of: shape, .merged),
        rival: nil, unit: "MiB")
      report.row(
        "ot.memory-\(shape.rawValue)-applied", "peak memory of merging and applying",
        ours: try peakMegabytes(of: shape, .applied), rival: nil, unit: "MiB")
    }
  }
  if report.wants("ot.codec") {
    let changeset = MergeWorkload.make(.sharedObjects, count: 1, instructions: 500_000).local[0]
    var bytes: [UInt8] = []
    report.row(
      "ot.codec-encode-1m", "encode 1,000,000 instructions", ours: seconds { bytes = changeset.encoded() }, rival: nil,
      unit: "s")
    report.row(
      "ot.codec-decode-1m", "decode 1,000,000 instructions",
      ours: try seconds { consume(try Changeset(decoding: bytes, origin: changeset.origin)) }, rival: nil, unit: "s")
    report.row(
      "ot.recorder-100k", "record 100,000 objects of 7 fields",
      ours: seconds {
        var writer = ChangesetWriter()
        let person = writer.intern("Person")
        let fields = (0..<7).map { writer.intern("field\($0)") }
        for number in 0..<Int64(100_000) {
          writer.createObject(person, .int(number))
          for field in fields { writer.update(person, .int(number), field, payload: .int(number)) }
        }
        consume(writer.finish())
      }, rival: nil, unit: "s")
  }
}

extension BenchmarkReport {
  /// A row for merging one offline history into another and applying it to a server's file, within so many seconds.
  fileprivate func applied(
    _ shape: MergeWorkload.Shape, count: Int, id: String, _ title: String, _ budget: Double
  ) throws {
    try applied(.make(shape, count: count), shape, id: id, title, budget)
  }

  fileprivate func applied(
    _ work: MergeWorkload, _ shape: MergeWorkload.Shape, id: String, _ title: String, _ budget: Double
  ) throws {
    guard wants(id) else { return }
    var times: [Double] = []
    for _ in 0..<3 {
      let merge = try AppliedMerge(work, on: MergeWorkload.base(of: shape))
      times.append(try seconds { try merge.run() })
    }
    row(id, title, ours: median(times), rival: budget, unit: "s", .costAtMost(1))
  }
}
