import Telemetry

/// The numbers that the server keeps about itself.
struct ServerMetrics: Sendable {
  let requests, logins, failedLogins, throttledLogins: Counter
  let connections, sessions, openRealms: Gauge
  let refusedUpgrades, malformedMessages, failedSessions: Counter
  let messagesIn, messagesOut, bytesIn, bytesOut: Counter
  let commits, changesets, rejectedBatches: Counter
  let commitSeconds, commitBatches: Histogram

  init(_ registry: MetricsRegistry) {
    requests = registry.counter("openrealm_http_requests_total", help: "HTTP requests")
    logins = registry.counter("openrealm_logins_total", help: "Logins by password that succeeded")
    failedLogins = registry.counter("openrealm_logins_failed_total", help: "Logins by password that failed")
    throttledLogins = registry.counter(
      "openrealm_logins_throttled_total", help: "Logins refused because too many failed")
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
    commitSeconds = registry.histogram("openrealm_group_commit_seconds", help: "Duration of a group commit")
    commitBatches = registry.histogram(
      "openrealm_group_commit_uploads", help: "Uploads in a group commit", bounds: [1, 2, 4, 8, 16, 32, 64, 128, 256])
  }
}
