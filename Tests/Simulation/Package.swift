// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "Simulation",
  products: [.executable(name: "simulate", targets: ["simulate"])],
  dependencies: [
    .package(path: "../../Packages/AuthClient"),
    .package(path: "../../Packages/ChangesetOT"),
    .package(path: "../../Packages/Concurrency"),
    .package(path: "../../Packages/Cryptography"),
    .package(path: "../../Packages/DataModel"),
    .package(path: "../../Packages/ObjectServer"),
    .package(path: "../../Packages/ObjectStore"),
    .package(path: "../../Packages/Permissions"),
    .package(path: "../../Packages/SyncClient"),
    .package(path: "../../Packages/Telemetry"),
    .package(path: "../../Packages/TestKit"),
    .package(path: "../../Packages/Transport"),
  ],
  targets: [
    .target(
      name: "Simulation",
      dependencies: [
        "ChangesetOT", "Concurrency", "Cryptography", "DataModel", "ObjectServer", "ObjectStore",
        .product(name: "RecordStore", package: "ObjectStore"), "Permissions",
        "SyncClient", "Telemetry", "TestKit", "Transport",
        .product(name: "ObjectServerTestSupport", package: "ObjectServer"),
        .product(name: "AccessTokens", package: "AuthClient"),
        .product(name: "TransportSimulated", package: "Transport"),
      ]),
    .executableTarget(name: "simulate", dependencies: ["Simulation", "TestKit"]),
    .testTarget(name: "SimulationTests", dependencies: ["Simulation", "TestKit"]),
  ]
)
