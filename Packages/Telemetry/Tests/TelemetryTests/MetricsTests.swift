import Telemetry
import Testing

@Suite("Metrics")
struct MetricsTests {
  @Test("the Prometheus text is sorted, escaped and cumulative")
  func text() {
    let metrics = MetricsRegistry()
    metrics.counter("b_total", help: "Back\\slash\nline", labels: ["path": "/a\"b"]).increment(by: 3)
    metrics.counter("b_total", labels: ["path": "/A"]).increment()
    metrics.gauge("a").set(-2)
    let histogram = metrics.histogram("c_seconds", labels: ["x": "1"], bounds: [0.5, 1])
    for value in [0.25, 0.5, 0.75, 3, .nan] { histogram.observe(value) }
    #expect(
      metrics.prometheusText() == """
        # TYPE a gauge
        a -2
        # HELP b_total Back\\\\slash\\nline
        # TYPE b_total counter
        b_total{path="/A"} 1
        b_total{path="/a\\"b"} 3
        # TYPE c_seconds histogram
        c_seconds_bucket{x="1",le="0.5"} 2
        c_seconds_bucket{x="1",le="1"} 3
        c_seconds_bucket{x="1",le="+Inf"} 4
        c_seconds_sum{x="1"} 4.5
        c_seconds_count{x="1"} 4

        """)
  }

  @Test("the same name and labels give the same metric")
  func identity() {
    let metrics = MetricsRegistry()
    metrics.counter("x", labels: ["a": "1", "b": "2"]).increment()
    #expect(metrics.counter("x", labels: ["b": "2", "a": "1"]).value == 1)
    #expect(metrics.counter("x", labels: ["a": "1"]).value == 0)
  }

  @Test("no addition is lost between threads")
  func threads() async {
    let metrics = MetricsRegistry()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask {
          for _ in 0..<1_000 {
            metrics.counter("c").increment()
            metrics.gauge("g").add(1)
            metrics.histogram("h").observe(.milliseconds(3))
          }
        }
      }
    }
    #expect(metrics.counter("c").value == 8_000)
    #expect(metrics.gauge("g").value == 8_000)
    #expect(metrics.histogram("h").snapshot.count == 8_000)
    #expect(metrics.histogram("h").snapshot.upperBound(ofQuantile: 0.99) == 0.005)
  }

  @Test("a quantile of nothing is nil, beyond the bounds infinite")
  func quantiles() {
    let histogram = MetricsRegistry().histogram("h", bounds: [1])
    #expect(histogram.snapshot.upperBound(ofQuantile: 0.5) == nil)
    histogram.observe(2)
    #expect(histogram.snapshot.upperBound(ofQuantile: 0.5) == .infinity)
  }
}
