// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "CommitFeed",
  products: [.library(name: "CommitFeed", targets: ["CommitFeed"])],
  dependencies: [
    .package(path: "../ChangesetOT"), .package(path: "../DataModel"), .package(path: "../ObjectStore"),
    .package(path: "../QueryLanguage"), .package(path: "../SubscriptionMatching"), .package(path: "../TestKit"),
  ],
  targets: [
    .target(
      name: "CommitFeed",
      dependencies: [
        "ChangesetOT", "DataModel", .product(name: "RecordStore", package: "ObjectStore"), "SubscriptionMatching",
      ]),
    .testTarget(
      name: "CommitFeedTests",
      dependencies: [
        "CommitFeed", "ChangesetOT", .product(name: "ChangesetOTTestSupport", package: "ChangesetOT"), "DataModel",
        .product(name: "RecordStore", package: "ObjectStore"), "QueryLanguage", "SubscriptionMatching", "TestKit",
      ]),
  ]
)
