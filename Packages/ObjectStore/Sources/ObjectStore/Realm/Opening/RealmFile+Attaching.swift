import RecordStore

extension RealmFile {
  /// Lets the sync client of a configuration, if it has one, attach itself; what it returns lives as long as the file is open.
  func attach(as configuration: Realm.Configuration) throws {
    guard let replication = configuration.replication else { return }
    let attachment = try replication.attach(to: self, of: configuration)
    attachments.withLock { if $0[replication.identity] == nil { $0[replication.identity] = attachment } }
  }
}
