// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "DataExchange",
  products: [.library(name: "DataExchange", targets: ["DataExchange"])],
  dependencies: [
    .package(path: "../DataModel"),
    .package(path: "../ObjectStore"),
    .package(path: "../StorageEngine"),
    .package(path: "../TestKit"),
  ],
  targets: [
    .target(
      name: "DataExchange",
      dependencies: [
        "DataModel", .product(name: "RecordStore", package: "ObjectStore"),
        .product(name: "SQLiteDatabase", package: "StorageEngine"),
      ]),
    .testTarget(
      name: "DataExchangeTests",
      dependencies: [
        "DataExchange", "DataModel", "ObjectStore", .product(name: "RecordStore", package: "ObjectStore"),
        .product(name: "SQLiteDatabase", package: "StorageEngine"), "TestKit",
      ]),
  ]
)
