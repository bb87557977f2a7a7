import Synchronization

/// All metrics of a process or a part of it, by name and labels, with their Prometheus text.
///
///     let metrics = MetricsRegistry()
///     let uploads = metrics.counter("openrealm_uploads_total", help: "Changesets received")
///     uploads.increment()
///     metrics.prometheusText()
///     // # HELP openrealm_uploads_total Changesets received
///     // # TYPE openrealm_uploads_total counter
///     // openrealm_uploads_total 1
///
/// The same name and labels always give the same metric. Keep the metric: a look-up takes a lock. Safe from any thread.
public final class MetricsRegistry: Sendable {
  enum Metric: Sendable {
    case counter(Counter)
    case gauge(Gauge)
    case histogram(Histogram)

    var kind: String {
      switch self {
      case .counter: "counter"
      case .gauge: "gauge"
      case .histogram: "histogram"
      }
    }
  }

  struct Family: Sendable {
    var help: String
    var kind: String
    var members: [MetricLabels: Metric]
  }

  private let families = Mutex<[String: Family]>([:])

  /// An empty registry.
  public init() {}

  /// The counter called `name` with `labels`.
  ///
  /// - Parameters:
  ///   - name: letters, digits, `_` and `:`, not starting with a digit; one kind of metric per name.
  ///   - help: one line for readers; the first one given is kept.
  ///   - labels: names and values that distinguish the members of the family. Keep the number of values small.
  public func counter(_ name: String, help: String = "", labels: MetricLabels = [:]) -> Counter {
    let metric = member(name, help: help, labels: labels, kind: "counter") { .counter(Counter()) }
    guard case .counter(let counter) = metric else { preconditionFailure("a name is of one kind") }
    return counter
  }

  /// The gauge called `name` with `labels`. Parameters as for ``counter(_:help:labels:)``.
  public func gauge(_ name: String, help: String = "", labels: MetricLabels = [:]) -> Gauge {
    let metric = member(name, help: help, labels: labels, kind: "gauge") { .gauge(Gauge()) }
    guard case .gauge(let gauge) = metric else { preconditionFailure("a name is of one kind") }
    return gauge
  }

  /// The histogram called `name` with `labels`. `bounds`, ascending, are used
  /// when the member is made.
  public func histogram(
    _ name: String, help: String = "", labels: MetricLabels = [:], bounds: [Double] = Histogram.latencyBounds
  ) -> Histogram {
    let metric = member(name, help: help, labels: labels, kind: "histogram") { .histogram(Histogram(bounds: bounds)) }
    guard case .histogram(let histogram) = metric else { preconditionFailure("a name is of one kind") }
    return histogram
  }

  /// Every metric in the Prometheus text format 0.0.4, sorted by name and labels.
  ///
  /// - Complexity: O(*n* log *n*) for *n* members.
  public func prometheusText() -> String {
    let all = families.withLock { $0 }
    return all.sorted { $0.key < $1.key }.map { PrometheusText.family($0.key, $0.value) }.joined()
  }

  func allFamilies() -> [String: Family] { families.withLock { $0 } }

  private func member(
    _ name: String, help: String, labels: MetricLabels, kind: String, make: () -> Metric
  ) -> Metric {
    precondition(MetricLabels.isName(name), "a metric name has letters, digits, _ and : only")
    return families.withLock { families in
      var family = families[name] ?? Family(help: help, kind: kind, members: [:])
      precondition(family.kind == kind, "a metric name is used for one kind of metric only")
      if let metric = family.members[labels] { return metric }
      let metric = make()
      family.members[labels] = metric
      families[name] = family
      return metric
    }
  }
}
