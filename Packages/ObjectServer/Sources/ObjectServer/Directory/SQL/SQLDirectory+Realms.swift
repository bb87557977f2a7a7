public import Permissions
public import Telemetry

extension SQLDirectory {
  /// The facts of a realm: whether it exists, and all grants on it; for a partial view, those of its reference realm as well.
  ///
  /// - Throws: ``ServerError`` when the database cannot be read or written.
  public func facts(of path: RealmPath) throws(ServerError) -> RealmFacts {
    try snapshot { database in
      var facts = try Self.ownFacts(of: path, in: database)
      guard let reference = path.partialView?.realm else { return facts }
      // The reference may have another name by now; its grants went with it.
      let present = try Self.renamedPath(of: reference, in: database) ?? reference
      let other = try Self.ownFacts(of: present, in: database)
      facts.referenceExists = other.exists
      facts.grants += other.grants.map { grant in
        var grant = grant
        grant.path = reference
        return grant
      }
      return facts
    }
  }

  private static func ownFacts(of path: RealmPath, in database: DirectoryDatabase) throws -> RealmFacts {
    let text = DirectoryValue.text(path.description)
    return RealmFacts(
      path: path, exists: try database.has(.realms, ["path": text]),
      grants: try database.rows(.grants, ["path": text], order: ["grantee"], read: grant))
  }

  /// Records that a realm exists. Has no effect when it is recorded already.
  ///
  /// - Returns: whether there never was a realm at the path: none that exists, was deleted, or was renamed.
  /// - Throws: ``ServerError`` when the database cannot be read or written.
  public func recordRealm(_ path: RealmPath, createdBy user: UserId, at time: WallTime) throws(ServerError) -> Bool {
    try write { try Self.record(path, user, time, in: $0) }
  }

  static func record(
    _ path: RealmPath, _ user: UserId, _ time: WallTime, in database: DirectoryDatabase
  ) throws -> Bool {
    let text = DirectoryValue.text(path.description)
    let isAdded = try database.add(
      .realms, text, .text(path.owner?.rawValue), .text(user.rawValue), .integer(time.millisecondsSince1970))
    return try isAdded && database.add(.usedPaths, text)
  }

  /// The realms in the folder of a user, sorted.
  ///
  /// - Throws: ``ServerError`` when the database cannot be read or written.
  public func realms(in user: UserId) throws(ServerError) -> [RealmPath] {
    try read { try $0.rows(.realms, ["folder": .text(user.rawValue)], read: Self.path) }
  }

  /// All realms, sorted.
  ///
  /// - Throws: ``ServerError`` when the database cannot be read or written.
  public func allRealms() throws(ServerError) -> [RealmPath] { try read { try $0.rows(.realms, read: Self.path) } }

  /// A page of the list of realms, in the order of the bytes of their paths.
  ///
  /// - Throws: ``ServerError`` when the database cannot be read.
  /// - Complexity: O(limit) in what is read and checked; the database counts over all paths.
  public func realms(_ search: RealmSearch) throws(ServerError) -> RealmPage {
    var condition: [DirectoryCondition] = []
    if !search.text.isEmpty { condition.append(.contains("path", search.text)) }
    if !search.hasPartialViews { condition.append(.lacks("path", RealmSearch.partialViewMark)) }
    return try snapshot { [condition] database in
      let total = try database.count(.realms, where: .all(condition))
      let page = DirectoryCondition.all(condition + [.greater("path", .text(search.after ?? ""))])
      let found = try database.rows(.realms, where: page, page: (search.limit + 1, search.skip), read: Self.path)
      return RealmPage(
        paths: Array(found.prefix(search.limit)), total: total, isLast: found.count <= search.limit)
    }
  }

  /// Forgets a realm with its grants and offers.
  ///
  /// - Returns: false when there was none.
  /// - Throws: ``ServerError`` when the database cannot be read or written.
  public func deleteRealm(_ path: RealmPath) throws(ServerError) -> Bool {
    try write { database in
      let text = DirectoryValue.text(path.description)
      let isGone = try !database.remove(.realms, ["path": text]).isEmpty
      for table in [.grants, .offers, .withdrawals] as [DirectoryTable] { try database.remove(table, ["path": text]) }
      let renamed = try database.remove(.renamed, where: .any([.equals("path", text), .equals("target", text)]))
      try database.note(.realm(path))
      return isGone || !renamed.isEmpty
    }
  }

  /// Gives a realm another path; its grants and offers go with it, and the old path remembers the new one.
  ///
  /// - Returns: false, with nothing changed, when there is none at the old path or one at the new.
  /// - Throws: ``ServerError`` when the database cannot be read or written.
  public func renameRealm(_ path: RealmPath, to newPath: RealmPath) throws(ServerError) -> Bool {
    try write { database in
      let (old, new) = (DirectoryValue.text(path.description), DirectoryValue.text(newPath.description))
      guard try !database.has(.realms, ["path": new]) else { return false }
      let moved = try database.change(.realms, ["path": old]) { values in
        values[0] = new
        values[1] = .text(newPath.owner?.rawValue)
      }
      guard moved == 1 else { return false }
      _ = try database.add(.usedPaths, new)
      for table in [.grants, .withdrawals] as [DirectoryTable] {
        try database.remove(table, ["path": new])
        try database.change(table, ["path": old]) { $0[0] = new }
      }
      try database.change(.offers, ["path": old]) { $0[2] = new }
      try database.change(.renamed, ["target": old]) { $0[1] = new }
      try database.put(.renamed, old, new)
      try database.remove(.renamed, ["path": new])
      try database.note(.realm(path))
      try database.note(.realm(newPath))
      return true
    }
  }

  /// The present path of the realm that was renamed from a path; nil when none was.
  ///
  /// - Throws: ``ServerError`` when the database cannot be read or written.
  public func renamedPath(of path: RealmPath) throws(ServerError) -> RealmPath? {
    try read { try Self.renamedPath(of: path, in: $0) }
  }

  private static func renamedPath(of path: RealmPath, in database: DirectoryDatabase) throws -> RealmPath? {
    try database.rows(.renamed, ["path": .text(path.description)]) { row in
      row.text(1).flatMap { try? RealmPath($0) }
    }.first
  }

  /// The grants to one user, not those to everyone, sorted by path.
  ///
  /// - Throws: ``ServerError`` when the database cannot be read or written.
  public func grants(to user: UserId) throws(ServerError) -> [Grant] {
    try read { try $0.rows(.grants, ["grantee": .text(user.rawValue)], order: ["path"], read: Self.grant) }
  }

  /// The grants on the realms in the folder of a user, sorted by path and grantee.
  ///
  /// - Throws: ``ServerError`` when the database cannot be read or written.
  public func grants(inFolderOf user: UserId) throws(ServerError) -> [Grant] {
    // "0" follows "/" in ASCII.
    let (first, end) = ("/\(user.rawValue)/", "/\(user.rawValue)0")
    return try read {
      try $0.rows(.grants, where: .all([.greater("path", .text(first)), .less("path", .text(end))]), read: Self.grant)
    }
    .filter { $0.path.owner == user }
  }

  /// Stores a grant, replacing an earlier one for the same realm and grantee; the level none removes it. The directory
  /// remembers the time of a grant that is none, or lower than the one before: see ``withdrawal(of:from:)``.
  ///
  /// - Throws: ``ServerError`` when the database cannot be read or written.
  public func setGrant(_ grant: Grant) throws(ServerError) {
    let (path, grantee) = (DirectoryValue.text(grant.path.description), DirectoryValue.text(grant.grantee.description))
    let (level, time) = (Int64(grant.level.rawValue), DirectoryValue.integer(grant.updatedAtMilliseconds))
    try write { database in
      let before = try database.rows(.grants, ["path": path, "grantee": grantee]) { $0.integer(2) }.first
      if grant.level == .none || level < before ?? 0 { try database.put(.withdrawals, path, grantee, time) }
      if grant.level == .none {
        try database.remove(.grants, ["path": path, "grantee": grantee])
      } else {
        try database.put(.grants, path, grantee, .integer(level), time)
      }
      try database.note(.realm(grant.path))
    }
  }

  /// The last time at which a grantee lost a grant on a realm or a part of it; nil for never.
  ///
  /// - Throws: ``ServerError`` when the database cannot be read or written.
  public func withdrawal(of grantee: Grantee, from path: RealmPath) throws(ServerError) -> WallTime? {
    try read { database in
      try database.rows(
        .withdrawals, ["path": .text(path.description), "grantee": .text(grantee.description)]
      ) { $0.integer(2).map { WallTime(millisecondsSince1970: $0) } }.first
    }
  }

  /// Stores an offer.
  ///
  /// - Throws: ``ServerError`` when the database cannot be read or written.
  public func createOffer(_ offer: OfferRecord) throws(ServerError) {
    try write { database in
      try database.put(
        .offers, .text(OfferTokens.digest(of: offer.token)), .text(offer.user.rawValue), .text(offer.path.description),
        .integer(Int64(offer.level.rawValue)), .integer(offer.createdAt.millisecondsSince1970),
        .integer(offer.expiresAt?.millisecondsSince1970), .blob(database.tokens.hidden(offer.token)))
    }
  }

  /// The offer with a token.
  ///
  /// - Throws: ``ServerError`` when the database cannot be read or written.
  public func offer(_ token: String) throws(ServerError) -> OfferRecord? {
    try read { try $0.offers(["digest": .text(OfferTokens.digest(of: token))]).first }
  }

  /// The offers that a user made, oldest first.
  ///
  /// - Throws: ``ServerError`` when the database cannot be read or written.
  public func offers(of user: UserId) throws(ServerError) -> [OfferRecord] {
    try read { try $0.offers(["user": .text(user.rawValue)]) }.sorted {
      ($0.createdAt, $0.token) < ($1.createdAt, $1.token)
    }
  }

  /// Removes an offer.
  ///
  /// - Throws: ``ServerError`` when the database cannot be read or written.
  public func deleteOffer(_ token: String) throws(ServerError) {
    _ = try write { try $0.remove(.offers, ["digest": .text(OfferTokens.digest(of: token))]) }
  }

  private static func path(_ row: DirectoryRow) -> RealmPath? { row.text(0).flatMap { try? RealmPath($0) } }

  private static func grant(_ row: DirectoryRow) -> Grant? {
    guard let path = path(row), let grantee = row.text(1), let number = row.integer(2),
      let level = AccessLevel(rawValue: UInt(clamping: number))
    else { return nil }
    return Grant(path: path, grantee: Grantee(grantee), level: level, updatedAtMilliseconds: row.integer(3) ?? 0)
  }
}
