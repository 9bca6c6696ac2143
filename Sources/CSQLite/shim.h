#pragma once
#include <sqlite3.h>

/* Swift cannot call C functions with variable arguments; sqlite3_db_config is one. */
static inline int csqlite_configure(sqlite3 *db, int option, int value) {
  int now = -1;
  int rc = sqlite3_db_config(db, option, value, &now);
  if (rc != SQLITE_OK) return rc;
  return now == value ? SQLITE_OK : SQLITE_ERROR;
}

/* SQLITE_STATIC and SQLITE_TRANSIENT are casts, which Swift does not import. The bytes stay
   the caller's and must outlive the step; Statement lends them only for that long. */
static inline int csqlite_bind_static(sqlite3_stmt *s, int i, const void *bytes, sqlite3_uint64 n) {
  return n == 0 ? sqlite3_bind_zeroblob(s, i, 0) : sqlite3_bind_blob64(s, i, bytes, n, SQLITE_STATIC);
}
