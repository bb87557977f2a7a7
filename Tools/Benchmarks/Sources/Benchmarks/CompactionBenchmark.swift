import ChangesetOT
import DataModel

/// A year in which one of eight objects in turn is written every five seconds, its history shortened after each day.
///
/// Twelve devices still need the history: each was last connected at the end of another month.
let compactionBenchmark = Suite(prefix: "ot.compaction") { report in
  let (days, perDay, daysPerMonth) = (365, 86_400 / 5, 30)
  let origin = ChangesetOrigin(timestamp: OriginTimestamp(1), file: FileIdent(2))
  let sensors = (0..<8).map { ObjectReference(className: "Sensor", key: .int($0)) }
  func written(_ number: Int) -> Changeset {
    let sensor = sensors[number % sensors.count]
    let instructions: [Instruction] = [
      .update(Update(target: Target(object: sensor, field: "value"), payload: .int(Int64(number)))),
      .addInteger(AddInteger(target: Target(object: sensor, field: "count"), amount: 1)),
    ]
    return Changeset(instructions: instructions, origin: origin)
  }
  func size(_ history: [Changeset]) -> Double { history.reduce(0) { $0 + Double($1.encoded().count) } }

  var kept: [Changeset] = []
  var starts = [0]
  var (all, time) = (0.0, 0.0)
  for day in 0..<days {
    let today = (0..<perDay).map { written(day * perDay + $0) }
    all += size(today)
    time += seconds {
      let short = HistoryCompaction.compacted(kept + today, neededFrom: starts)
      starts = starts.map { start in short[..<start].count { !$0.instructions.isEmpty } }
      kept = short.filter { !$0.instructions.isEmpty }
    }
    if (day + 1) % daysPerMonth == 0 { starts.append(kept.count) }
  }
  report.row(
    "ot.compaction-year", "a year's history beside what is kept of it", ours: size(kept), rival: all, unit: "B",
    .gainAtLeast(1_000))
  report.row("ot.compaction-year-time", "shortening it, day by day", ours: time, rival: nil, unit: "s")
}
