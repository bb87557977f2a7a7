import Foundation

/// Folders of sources whose public types are words of the field: each stands in the glossary.
let glossaryFolders = [
  "Packages/StorageEngine/Sources/", "Packages/ObjectStore/Sources/RecordStore/",
  "Packages/ChangesetOT/Sources/ChangesetOT/",
  "Packages/SyncProtocol/Sources/SyncProtocol/", "Packages/SyncClient/Sources/", "Packages/ObjectServer/Sources/",
  "Packages/Transport/Sources/", "Packages/Concurrency/Sources/", "Packages/SubscriptionMatching/Sources/",
  "Packages/CommitFeed/Sources/", "Packages/GraphQL/Sources/GraphQL/",
]

/// The public types of storage, sync, server and concurrency are explained in `Docs/Glossary.md`, in backticks.
let glossaryIsComplete = Check(
  name: "glossary",
  run: { repository in
    let glossary = repository.text("Docs/Glossary.md")
    let words = Set(
      glossary.matches(of: /`([A-Za-z]\w*(?:\.[A-Za-z]\w*)*)`/).map { String($0.output.1) })
    return repository.paths.filter { path in
      path.hasSuffix(".swift") && glossaryFolders.contains { path.hasPrefix($0) }
    }.flatMap { path in
      publicTypes(codeOnly(repository.text(path))).subtracting(words).sorted().map {
        Finding(path: path, line: nil, message: "the public type '\($0)' is missing in Docs/Glossary.md")
      }
    }
  },
  canary: [
    "Docs/Glossary.md": "| word | means here | type |\n|---|---|---|\n| page | a page | `Page` |\n",
    "Packages/StorageEngine/Sources/StorageEngine/Leaf.swift": "public struct Leaf {}\n",
  ])
