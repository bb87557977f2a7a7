import RecordStore

extension RealmFile {
  /// Lets a sync client attach itself; what it returns lives as long as the file is open.
  func attach(_ replication: any ReplicationConfiguration) throws {
    let attachment = try replication.attach(to: self)
    attachments.withLock { if $0[replication.identity] == nil { $0[replication.identity] = attachment } }
  }
}
