#ifndef CSQLITE_SHIM_H
#define CSQLITE_SHIM_H
/* The recorder of changes (the session extension) is declared only with these. */
#define SQLITE_ENABLE_SESSION 1
#define SQLITE_ENABLE_PREUPDATE_HOOK 1
#include <sqlite3.h>
#endif
