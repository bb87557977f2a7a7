// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "Telemetry",
  products: [
    .library(name: "Telemetry", targets: ["Telemetry"]),
    .library(name: "TelemetryTestSupport", targets: ["TelemetryTestSupport"]),
  ],
  targets: [
    .target(name: "Telemetry"),
    .target(name: "TelemetryTestSupport", dependencies: ["Telemetry"]),
    .testTarget(name: "TelemetryTests", dependencies: ["Telemetry", "TelemetryTestSupport"]),
  ]
)
