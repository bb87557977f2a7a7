import Glibc

/// The Prometheus text exposition format, version 0.0.4.
enum PrometheusText {
  static func family(_ name: String, _ family: MetricsRegistry.Family) -> String {
    var text = ""
    if !family.help.isEmpty { text += "# HELP \(name) \(escaped(family.help, quotes: false))\n" }
    text += "# TYPE \(name) \(family.kind)\n"
    for (labels, metric) in family.members.sorted(by: { $0.key < $1.key }) {
      switch metric {
      case .counter(let counter): text += "\(name)\(render(labels)) \(counter.value)\n"
      case .gauge(let gauge): text += "\(name)\(render(labels)) \(gauge.value)\n"
      case .histogram(let histogram): text += lines(of: histogram.snapshot, name, labels)
      }
    }
    return text
  }

  /// Buckets are cumulative in this format, and the last one is `+Inf`.
  private static func lines(of snapshot: Histogram.Snapshot, _ name: String, _ labels: MetricLabels) -> String {
    var text = ""
    var cumulative: UInt64 = 0
    for (index, count) in snapshot.counts.enumerated() {
      cumulative &+= count
      let bound = index < snapshot.bounds.count ? number(snapshot.bounds[index]) : "+Inf"
      text += "\(name)_bucket\(render(labels, ("le", bound))) \(cumulative)\n"
    }
    text += "\(name)_sum\(render(labels)) \(number(snapshot.sum))\n"
    text += "\(name)_count\(render(labels)) \(snapshot.count)\n"
    return text
  }

  private static func render(_ labels: MetricLabels, _ extra: (String, String)? = nil) -> String {
    var parts = labels.pairs.map { "\($0.name)=\"\(escaped($0.value, quotes: true))\"" }
    if let extra { parts.append("\(extra.0)=\"\(extra.1)\"") }
    return parts.isEmpty ? "" : "{\(parts.joined(separator: ","))}"
  }

  private static func number(_ value: Double) -> String {
    if value == .infinity { return "+Inf" }
    if value == -.infinity { return "-Inf" }
    if value == value.rounded(), abs(value) < 1e15 { return String(Int64(value)) }
    return String(value)
  }

  private static func escaped(_ text: String, quotes: Bool) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\"" where quotes: result += "\\\""
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
