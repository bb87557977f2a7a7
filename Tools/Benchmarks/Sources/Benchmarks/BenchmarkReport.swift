import Foundation

/// The target of a measurement, as a ratio to its rival in the same run.
enum Bound: Sendable {
  /// Gain: the rival's time (or size) divided by ours is at least this.
  case gainAtLeast(Double)
  /// Cost: our time (or size) divided by the rival's is at most this.
  case costAtMost(Double)
  /// Our time itself is at most this, in seconds, whatever the rival's.
  case atMost(Double)
  /// Printed for comparison; nothing to reach.
  case none
}

/// One measurement beside its rival.
struct BenchmarkRow {
  /// Stable, such as `store.insert-1m`.
  var id: String
  var title: String
  var ours: Double
  var rival: Double?
  var unit: String
  var bound: Bound

  /// Our speed or our cost in terms of the rival's, as the bound reads it.
  var ratio: Double? {
    guard let rival else { return nil }
    switch bound {
    case .costAtMost, .atMost: return ours / rival
    case .gainAtLeast, .none: return rival / ours
    }
  }

  var met: Bool? {
    if case .atMost(let limit) = bound { return ours <= limit }
    guard let ratio else { return nil }
    switch bound {
    case .gainAtLeast(let limit): return ratio >= limit
    case .costAtMost(let limit): return ratio <= limit
    case .atMost, .none: return nil
    }
  }

  var target: Double? {
    switch bound {
    case .gainAtLeast(let limit), .costAtMost(let limit), .atMost(let limit): limit
    case .none: nil
    }
  }
}

/// Collects rows, prints each as it comes, and writes them as JSON lines when `BENCH_JSON` names a file.
final class BenchmarkReport {
  private(set) var rows: [BenchmarkRow] = []
  private let only: String

  init(only: String) { self.only = only }

  /// Whether rows whose ids begin with `prefix` are asked for.
  func wants(_ prefix: String) -> Bool { only.isEmpty || prefix.hasPrefix(only) || only.hasPrefix(prefix) }

  /// Adds a row unless it was not asked for.
  func row(_ id: String, _ title: String, ours: Double, rival: Double?, unit: String, _ bound: Bound = .none) {
    guard only.isEmpty || id.hasPrefix(only) else { return }
    let row = BenchmarkRow(id: id, title: title, ours: ours, rival: rival, unit: unit, bound: bound)
    if rows.isEmpty { say(Self.line("id", "what", "ours", "rival", "ratio", "target", "")) }
    rows.append(row)
    let target: String
    switch bound {
    case .gainAtLeast(let limit): target = "≥ \(short(limit))"
    case .costAtMost(let limit): target = "≤ \(short(limit))"
    case .atMost(let limit): target = "≤ \(Self.quantity(limit, "s"))"
    case .none: target = ""
    }
    say(
      Self.line(
        id, title, Self.quantity(ours, unit), rival.map { Self.quantity($0, unit) } ?? "",
        row.ratio.map { short($0) + "x" } ?? "",
        target, row.met.map { $0 ? "met" : "MISSED" } ?? ""))
  }

  func writeJSON(to path: String) throws {
    let lines = try rows.map { row in
      var object: [String: Any] = ["id": row.id, "ours": row.ours, "unit": row.unit]
      object["rival"] = row.rival ?? NSNull()
      object["ratio"] = row.ratio ?? NSNull()
      object["target"] = row.target ?? NSNull()
      object["met"] = row.met ?? NSNull()
      switch row.bound {
      case .costAtMost: object["bound"] = "at most"
      case .atMost: object["bound"] = "ours at most"
      case .gainAtLeast, .none: object["bound"] = "at least"
      }
      return String(decoding: try JSONSerialization.data(withJSONObject: object, options: [.sortedKeys]), as: UTF8.self)
    }
    try (lines.joined(separator: "\n") + "\n").write(toFile: path, atomically: true, encoding: .utf8)
  }

  private static func line(_ fields: String...) -> String {
    let widths = [32, 46, 12, 12, 9, 8, 0]
    return zip(fields, widths).map { $0.0.padding(toLength: max($0.1, $0.0.count), withPad: " ", startingAt: 0) }
      .joined(separator: " ")
  }

  private static func quantity(_ value: Double, _ unit: String) -> String {
    guard unit == "s" else { return short(value) + " " + unit }
    if value < 1e-6 { return short(value * 1e9) + " ns" }
    if value < 1e-3 { return short(value * 1e6) + " µs" }
    if value < 1 { return short(value * 1e3) + " ms" }
    return short(value) + " s"
  }
}

private func short(_ value: Double) -> String {
  value >= 100
    ? String(format: "%.0f", value) : value >= 10 ? String(format: "%.1f", value) : String(format: "%.2f", value)
}
