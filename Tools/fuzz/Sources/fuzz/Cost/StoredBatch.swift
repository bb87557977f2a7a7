import ObjectStore

/// What a history integrates; SyncProtocol has a batch of that name for what a connection hands over.
typealias StoredBatch = UploadBatch
