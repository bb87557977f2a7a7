// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "Concurrency",
  products: [.library(name: "Concurrency", targets: ["Concurrency"])],
  dependencies: [
    .package(path: "../Telemetry"),
    .package(path: "../TestKit"),
  ],
  targets: [
    .target(name: "Concurrency", dependencies: ["Telemetry"]),
    .testTarget(name: "ConcurrencyTests", dependencies: ["Concurrency", "Telemetry", "TestKit"]),
  ]
)
