// An app that moves over keeps its `import RealmSwift`.
@_exported import ObjectStore
