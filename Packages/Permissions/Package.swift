// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "Permissions",
  products: [
    .library(name: "Permissions", targets: ["Permissions"]),
    .library(name: "PermissionsTestSupport", targets: ["PermissionsTestSupport"]),
  ],
  dependencies: [.package(path: "../TestKit")],
  targets: [
    .target(name: "Permissions"),
    .target(name: "PermissionsTestSupport", dependencies: ["Permissions", "TestKit"]),
    .testTarget(name: "PermissionsTests", dependencies: ["Permissions", "PermissionsTestSupport", "TestKit"]),
  ]
)
