// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "RealmSwift",
  products: [.library(name: "RealmSwift", targets: ["RealmSwift"])],
  dependencies: [
    .package(path: "../AuthClient"),
    .package(path: "../ObjectStore"),
    .package(path: "../Permissions"),
    .package(path: "../SyncClient"),
    .package(path: "../TestKit"),
  ],
  targets: [
    .target(name: "RealmSwift", dependencies: ["AuthClient", "ObjectStore", "Permissions", "SyncClient"]),
    .testTarget(name: "RealmSwiftTests", dependencies: ["RealmSwift", "TestKit"]),
  ]
)
