/// The present value of one metric, as programs read it.
public struct MetricSample: Hashable, Sendable {
  /// The name of the metric.
  public var name: String
  /// `counter`, `gauge` or `histogram`.
  public var kind: String
  /// The meaning of the metric.
  public var help: String
  /// The labels, by name.
  public var labels: [String: String]
  /// The value; of a histogram, the sum of its observations.
  public var value: Double
  /// The number of observations of a histogram; nil for other kinds.
  public var count: UInt64?
}

extension MetricsRegistry {
  /// The present values of all metrics, by name and labels.
  ///
  /// - Complexity: O(*n* log *n*) in the metrics.
  public func samples() -> [MetricSample] {
    allFamilies().sorted { $0.key < $1.key }.flatMap { name, family in
      family.members.sorted { $0.key < $1.key }.map { labels, metric in
        var sample = MetricSample(
          name: name, kind: family.kind, help: family.help,
          labels: Dictionary(uniqueKeysWithValues: labels.pairs.map { ($0.name, $0.value) }), value: 0)
        switch metric {
        case .counter(let counter): sample.value = Double(counter.value)
        case .gauge(let gauge): sample.value = Double(gauge.value)
        case .histogram(let histogram):
          let snapshot = histogram.snapshot
          sample.value = snapshot.sum
          sample.count = snapshot.count
        }
        return sample
      }
    }
  }
}
