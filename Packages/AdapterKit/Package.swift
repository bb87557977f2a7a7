// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "AdapterKit",
  products: [.library(name: "AdapterKit", targets: ["AdapterKit"])],
  dependencies: [
    .package(path: "../ByteCoding"), .package(path: "../ChangesetOT"), .package(path: "../CommitFeed"),
    .package(path: "../DataExchange"), .package(path: "../DataModel"), .package(path: "../ObjectStore"),
    .package(path: "../TestKit"),
  ],
  targets: [
    .target(
      name: "AdapterKit",
      dependencies: [
        "ByteCoding", "ChangesetOT", "CommitFeed", "DataExchange", "DataModel",
        .product(name: "RecordStore", package: "ObjectStore"),
      ]),
    .testTarget(
      name: "AdapterKitTests",
      dependencies: [
        "AdapterKit", "ByteCoding", "ChangesetOT",
        .product(name: "ChangesetOTTestSupport", package: "ChangesetOT"), "CommitFeed", "DataModel",
        .product(name: "RecordStore", package: "ObjectStore"), "TestKit",
      ]),
  ]
)
