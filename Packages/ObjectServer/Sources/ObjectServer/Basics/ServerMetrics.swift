import Telemetry

/// The numbers that the server keeps about itself.
struct ServerMetrics: Sendable {
  let passwordHashes: Counter
  let requests, logins, failedLogins, throttledLogins, throttledAccounts, throttledConnections: Counter
  let connections, sessions, openRealms, waitingUploadBytes, waitingDownloadBytes: Gauge
  let slowReaders, budgetPauses, quarantined, undoneUploads: Counter
  let refusedUpgrades, malformedMessages, failedSessions: Counter
  let messagesIn, messagesOut, bytesIn, bytesOut: Counter
  let commits, changesets, rejectedBatches: Counter
  let commitSeconds, commitBatches: Histogram
  let feedCursors, feedCursorsBehind, feedBytes: Gauge
  let links, streams: Gauge

  init(_ registry: MetricsRegistry) {
    requests = registry.counter("openrealm_http_requests_total", help: "HTTP requests")
    passwordHashes = registry.counter(
      "openrealm_password_hashes_total", help: "Password hashes made and compared")
    logins = registry.counter("openrealm_logins_total", help: "Logins by password that succeeded")
    failedLogins = registry.counter("openrealm_logins_failed_total", help: "Logins by password that failed")
    throttledLogins = registry.counter(
      "openrealm_logins_throttled_total", help: "Logins refused because too many failed")
    throttledAccounts = registry.counter(
      "openrealm_accounts_throttled_total", help: "New users refused because one address made too many")
    throttledConnections = registry.counter(
      "openrealm_sync_connections_throttled_total", help: "Sync connections refused because one address opened too many"
    )
    waitingUploadBytes = registry.gauge(
      "openrealm_upload_bytes_waiting", help: "Bytes of changesets that wait to be integrated")
    waitingDownloadBytes = registry.gauge(
      "openrealm_download_bytes_waiting", help: "Bytes that wait for their clients to read them")
    slowReaders = registry.counter("openrealm_slow_readers_total", help: "Connections cut because they did not read")
    budgetPauses = registry.counter(
      "openrealm_memory_pauses_total", help: "Connections that had to wait because the memory budget was used up")
    undoneUploads = registry.counter(
      "openrealm_uploads_undone_total", help: "Uploads of users who may only read that were undone")
    quarantined = registry.counter("openrealm_changesets_quarantined_total", help: "Uploads that were put aside")
    connections = registry.gauge("openrealm_sync_connections", help: "Open sync connections")
    sessions = registry.gauge("openrealm_sync_sessions", help: "Bound sync sessions")
    openRealms = registry.gauge("openrealm_open_realms", help: "Realms open in memory")
    refusedUpgrades = registry.counter("openrealm_sync_upgrades_refused_total", help: "Sync connections refused")
    malformedMessages = registry.counter("openrealm_sync_messages_malformed_total", help: "Messages that are none")
    failedSessions = registry.counter("openrealm_sync_sessions_failed_total", help: "Sessions ended by an error")
    messagesIn = registry.counter("openrealm_sync_messages_received_total", help: "Sync messages received")
    messagesOut = registry.counter("openrealm_sync_messages_sent_total", help: "Sync messages sent")
    bytesIn = registry.counter("openrealm_sync_bytes_received_total", help: "Bytes of sync messages received")
    bytesOut = registry.counter("openrealm_sync_bytes_sent_total", help: "Bytes of sync messages sent")
    commits = registry.counter("openrealm_group_commits_total", help: "Group commits of uploads")
    changesets = registry.counter("openrealm_changesets_integrated_total", help: "Changesets integrated")
    rejectedBatches = registry.counter("openrealm_uploads_rejected_total", help: "Uploads that could not be integrated")
    links = registry.gauge("openrealm_node_links", help: "Open links with other nodes, of both directions")
    streams = registry.gauge(
      "openrealm_node_streams", help: "Connections of clients that are passed on over links, of both directions")
    feedCursors = registry.gauge("openrealm_feed_cursors", help: "Consumers of commits in open realms")
    feedCursorsBehind = registry.gauge(
      "openrealm_feed_cursors_behind", help: "Consumers of commits that have fallen behind their budgets")
    feedBytes = registry.gauge(
      "openrealm_feed_history_bytes", help: "Bytes of history that wait for the slowest consumer of each open realm")
    commitSeconds = registry.histogram("openrealm_group_commit_seconds", help: "Duration of a group commit")
    commitBatches = registry.histogram(
      "openrealm_group_commit_uploads", help: "Uploads in a group commit", bounds: [1, 2, 4, 8, 16, 32, 64, 128, 256])
  }
}
