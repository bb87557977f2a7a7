// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "ObjectStore",
  products: [
    .library(name: "RecordStore", targets: ["RecordStore"]),
    .library(name: "ObjectStore", targets: ["ObjectStore"]),
  ],
  dependencies: [
    .package(path: "../ByteCoding"),
    .package(path: "../DataModel"),
    .package(path: "../ChangesetOT"),
    .package(path: "../Permissions"),
    .package(path: "../QueryLanguage"),
    .package(path: "../StorageEngine"),
    .package(path: "../SubscriptionMatching"),
    .package(path: "../TestKit"),
  ],
  targets: [
    .target(
      name: "RecordStore",
      dependencies: [
        "ByteCoding", "DataModel", "ChangesetOT", "Permissions", "QueryLanguage", "StorageEngine",
        "SubscriptionMatching",
      ]),
    .target(
      name: "ObjectStore",
      dependencies: [
        "RecordStore", "ByteCoding", "DataModel", "ChangesetOT", "Permissions", "QueryLanguage", "StorageEngine",
      ]),
    .testTarget(
      name: "ObjectStoreTests",
      dependencies: [
        "ObjectStore", "RecordStore", "DataModel", "ChangesetOT", "Permissions", "StorageEngine", "TestKit",
        .product(name: "SQLiteDatabase", package: "StorageEngine"),
        .product(name: "ChangesetOTTestSupport", package: "ChangesetOT"),
        .product(name: "PermissionsTestSupport", package: "Permissions"),
        .product(name: "QueryLanguageTestSupport", package: "QueryLanguage"),
      ]),
  ]
)
