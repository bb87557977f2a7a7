#include "studio_pages.h"

/* #embed is of C23; clang has it in every dialect. */
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char icon_svg[] = {
#embed "Pages/icon.svg"
};
static const unsigned char index_html[] = {
#embed "Pages/index.html"
};
static const unsigned char lib_api_js[] = {
#embed "Pages/lib/api.js"
};
static const unsigned char lib_dom_js[] = {
#embed "Pages/lib/dom.js"
};
static const unsigned char lib_format_js[] = {
#embed "Pages/lib/format.js"
};
static const unsigned char lib_http_js[] = {
#embed "Pages/lib/http.js"
};
static const unsigned char lib_router_js[] = {
#embed "Pages/lib/router.js"
};
static const unsigned char lib_scope_js[] = {
#embed "Pages/lib/scope.js"
};
static const unsigned char lib_values_js[] = {
#embed "Pages/lib/values.js"
};
static const unsigned char parts_dialog_js[] = {
#embed "Pages/parts/dialog.js"
};
static const unsigned char parts_grid_js[] = {
#embed "Pages/parts/grid.js"
};
static const unsigned char parts_plot_js[] = {
#embed "Pages/parts/plot.js"
};
static const unsigned char parts_progress_js[] = {
#embed "Pages/parts/progress.js"
};
static const unsigned char parts_table_js[] = {
#embed "Pages/parts/table.js"
};
static const unsigned char studio_css[] = {
#embed "Pages/studio.css"
};
static const unsigned char studio_js[] = {
#embed "Pages/studio.js"
};
static const unsigned char views_access_js[] = {
#embed "Pages/views/access.js"
};
static const unsigned char views_audit_js[] = {
#embed "Pages/views/audit.js"
};
static const unsigned char views_batch_js[] = {
#embed "Pages/views/batch.js"
};
static const unsigned char views_care_js[] = {
#embed "Pages/views/care.js"
};
static const unsigned char views_connectors_js[] = {
#embed "Pages/views/connectors.js"
};
static const unsigned char views_data_js[] = {
#embed "Pages/views/data.js"
};
static const unsigned char views_editor_js[] = {
#embed "Pages/views/editor.js"
};
static const unsigned char views_history_js[] = {
#embed "Pages/views/history.js"
};
static const unsigned char views_login_js[] = {
#embed "Pages/views/login.js"
};
static const unsigned char views_logs_js[] = {
#embed "Pages/views/logs.js"
};
static const unsigned char views_overview_js[] = {
#embed "Pages/views/overview.js"
};
static const unsigned char views_query_bar_js[] = {
#embed "Pages/views/query-bar.js"
};
static const unsigned char views_realm_header_js[] = {
#embed "Pages/views/realm-header.js"
};
static const unsigned char views_realms_js[] = {
#embed "Pages/views/realms.js"
};
static const unsigned char views_roles_js[] = {
#embed "Pages/views/roles.js"
};
static const unsigned char views_schema_js[] = {
#embed "Pages/views/schema.js"
};
static const unsigned char views_sessions_js[] = {
#embed "Pages/views/sessions.js"
};
static const unsigned char views_subscriptions_js[] = {
#embed "Pages/views/subscriptions.js"
};
static const unsigned char views_transfer_js[] = {
#embed "Pages/views/transfer.js"
};
static const unsigned char views_users_js[] = {
#embed "Pages/views/users.js"
};
static const unsigned char views_webhooks_js[] = {
#embed "Pages/views/webhooks.js"
};

#define PAGE(path, bytes) {path, bytes, sizeof bytes}

const struct studio_page studio_pages[] = {
    PAGE("icon.svg", icon_svg),
    PAGE("index.html", index_html),
    PAGE("lib/api.js", lib_api_js),
    PAGE("lib/dom.js", lib_dom_js),
    PAGE("lib/format.js", lib_format_js),
    PAGE("lib/http.js", lib_http_js),
    PAGE("lib/router.js", lib_router_js),
    PAGE("lib/scope.js", lib_scope_js),
    PAGE("lib/values.js", lib_values_js),
    PAGE("parts/dialog.js", parts_dialog_js),
    PAGE("parts/grid.js", parts_grid_js),
    PAGE("parts/plot.js", parts_plot_js),
    PAGE("parts/progress.js", parts_progress_js),
    PAGE("parts/table.js", parts_table_js),
    PAGE("studio.css", studio_css),
    PAGE("studio.js", studio_js),
    PAGE("views/access.js", views_access_js),
    PAGE("views/audit.js", views_audit_js),
    PAGE("views/batch.js", views_batch_js),
    PAGE("views/care.js", views_care_js),
    PAGE("views/connectors.js", views_connectors_js),
    PAGE("views/data.js", views_data_js),
    PAGE("views/editor.js", views_editor_js),
    PAGE("views/history.js", views_history_js),
    PAGE("views/login.js", views_login_js),
    PAGE("views/logs.js", views_logs_js),
    PAGE("views/overview.js", views_overview_js),
    PAGE("views/query-bar.js", views_query_bar_js),
    PAGE("views/realm-header.js", views_realm_header_js),
    PAGE("views/realms.js", views_realms_js),
    PAGE("views/roles.js", views_roles_js),
    PAGE("views/schema.js", views_schema_js),
    PAGE("views/sessions.js", views_sessions_js),
    PAGE("views/subscriptions.js", views_subscriptions_js),
    PAGE("views/transfer.js", views_transfer_js),
    PAGE("views/users.js", views_users_js),
    PAGE("views/webhooks.js", views_webhooks_js),
};

const size_t studio_page_count = sizeof studio_pages / sizeof studio_pages[0];
