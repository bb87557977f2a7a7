// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "Permissions",
  products: [
    .library(name: "Permissions", targets: ["Permissions"]),
    .library(name: "PermissionsTestSupport", targets: ["PermissionsTestSupport"]),
  ],
  targets: [
    .target(name: "Permissions"),
    .target(name: "PermissionsTestSupport", dependencies: ["Permissions"]),
    .testTarget(name: "PermissionsTests", dependencies: ["Permissions", "PermissionsTestSupport"]),
  ]
)
