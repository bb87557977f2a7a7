// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "EventHandling",
  products: [.library(name: "EventHandling", targets: ["EventHandling"])],
  dependencies: [
    .package(path: "../AdapterKit"), .package(path: "../ByteCoding"), .package(path: "../ChangesetOT"),
    .package(path: "../CommitFeed"),
    .package(path: "../Concurrency"), .package(path: "../Cryptography"), .package(path: "../DataModel"),
    .package(path: "../ObjectServer"), .package(path: "../ObjectStore"), .package(path: "../Permissions"),
    .package(path: "../SubscriptionMatching"), .package(path: "../SyncClient"), .package(path: "../Telemetry"),
    .package(path: "../TestKit"),
    .package(path: "../Transport"),
  ],
  targets: [
    .target(
      name: "EventHandling",
      dependencies: [
        "AdapterKit", "ByteCoding", "ChangesetOT", "CommitFeed", "Concurrency", "Cryptography", "DataModel",
        "ObjectServer",
        .product(name: "ObjectStore", package: "ObjectStore"), .product(name: "RecordStore", package: "ObjectStore"),
        "Permissions", "SubscriptionMatching", "SyncClient", "Telemetry",
        .product(name: "Transport", package: "Transport"),
      ]),
    .testTarget(
      name: "EventHandlingTests",
      dependencies: [
        "EventHandling", "ChangesetOT", "CommitFeed", "Concurrency", "Cryptography", "DataModel", "ObjectServer",
        .product(name: "ObjectStore", package: "ObjectStore"), .product(name: "RecordStore", package: "ObjectStore"),
        "Permissions", "SyncClient", "Telemetry", "TestKit", .product(name: "Transport", package: "Transport"),
        .product(name: "TransportReal", package: "Transport"),
      ]),
  ]
)
