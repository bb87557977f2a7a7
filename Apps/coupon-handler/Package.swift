// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "coupon-handler",
  products: [.executable(name: "coupon-handler", targets: ["coupon-handler"])],
  dependencies: [
    .package(path: "../realm-object-server"),
    .package(path: "../../Packages/ByteCoding"),
    .package(path: "../../Packages/CommandLineKit"),
    .package(path: "../../Packages/DataModel"),
    .package(path: "../../Packages/EventHandling"),
    .package(path: "../../Packages/ObjectStore"),
    .package(path: "../../Packages/SyncClient"),
    .package(path: "../../Packages/TestKit"),
    .package(path: "../../Packages/Transport"),
  ],
  targets: [
    .executableTarget(
      name: "coupon-handler",
      dependencies: [
        "CommandLineKit", "DataModel", "EventHandling", .product(name: "ObjectStore", package: "ObjectStore"),
        .product(name: "RecordStore", package: "ObjectStore"), "SyncClient",
      ]),
    .testTarget(
      name: "CouponHandlerTests",
      dependencies: [
        "coupon-handler", "ByteCoding", .product(name: "ObjectStore", package: "ObjectStore"),
        .product(name: "realm-object-server", package: "realm-object-server"), "SyncClient", "TestKit",
        .product(name: "Transport", package: "Transport"), .product(name: "TransportReal", package: "Transport"),
      ]),
  ]
)
