// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "SyncClient",
  products: [.library(name: "SyncClient", targets: ["SyncClient"])],
  dependencies: [
    .package(path: "../AuthClient"),
    .package(path: "../ByteCoding"),
    .package(path: "../ChangesetOT"),
    .package(path: "../Concurrency"),
    .package(path: "../Cryptography"),
    .package(path: "../DataModel"),
    .package(path: "../ObjectStore"),
    .package(path: "../Permissions"),
    .package(path: "../SyncProtocol"),
    .package(path: "../Telemetry"),
    .package(path: "../TestKit"),
    .package(path: "../Transport"),
  ],
  targets: [
    .target(
      name: "SyncClient",
      dependencies: [
        "AuthClient", "ByteCoding", "ChangesetOT", "Concurrency", "Cryptography", "DataModel", "ObjectStore",
        .product(name: "RecordStore", package: "ObjectStore"), "Permissions", "SyncProtocol",
        "Telemetry", "Transport",
        .product(name: "TransportReal", package: "Transport"),
      ]),
    .testTarget(
      name: "SyncClientTests",
      dependencies: [
        "SyncClient", "AuthClient", "ChangesetOT", "Concurrency", "DataModel", "ObjectStore",
        .product(name: "RecordStore", package: "ObjectStore"), "SyncProtocol",
        "Telemetry",
        "TestKit", "Transport",
        .product(name: "TransportSimulated", package: "Transport"),
      ]),
  ]
)
