#pragma once
#include <sqlite3.h>
#include <string.h>

/* Swift cannot call C functions with variable arguments; sqlite3_db_config is one. */
static inline int csqlite_configure(sqlite3 *db, int option, int value) {
  int now = -1;
  int rc = sqlite3_db_config(db, option, value, &now);
  if (rc != SQLITE_OK) return rc;
  return now == value ? SQLITE_OK : SQLITE_ERROR;
}

/* A macro with arithmetic, which Swift does not import. */
static const int csqlite_ioerr_shmsize = SQLITE_IOERR_SHMSIZE;

/* The system's VFS without "super-journals". A rollback journal beside a database may name one, and SQLite deletes the
   file of that name when it has read the journal. Nothing authenticates the name, so whoever can write beside the
   database could have any file of the user's removed. The databases here never have one. */
static inline int csqlite_open_file(
  sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *flags_out) {
  (void)vfs;
  sqlite3_vfs *system = sqlite3_vfs_find(0);
  if ((flags & 0x4000 /* SQLITE_OPEN_SUPER_JOURNAL */) != 0 || system == 0) {
    file->pMethods = 0;
    return SQLITE_CANTOPEN;
  }
  return system->xOpen(system, name, file, flags, flags_out);
}

/* The system's VFS resolves links in a path, once. A path below /proc/self/fd leads to a directory that is held open, and resolving it would
   lead back to a name that somebody may have given to another. */
static inline int csqlite_full_path(sqlite3_vfs *vfs, const char *name, int size, char *full) {
  (void)vfs;
  static const char opened[] = "/proc/self/fd/";
  sqlite3_vfs *system = sqlite3_vfs_find(0);
  if (system == 0) return SQLITE_CANTOPEN;
  if (strncmp(name, opened, sizeof opened - 1) != 0) return system->xFullPathname(system, name, size, full);
  size_t length = strlen(name);
  if (length >= (size_t)size) return SQLITE_CANTOPEN;
  memcpy(full, name, length + 1);
  return SQLITE_OK;
}

/* Registers it as "facediary"; copy must live for ever. */
static inline int csqlite_register_vfs(sqlite3_vfs *copy) {
  sqlite3_vfs *system = sqlite3_vfs_find(0);
  if (system == 0) return SQLITE_ERROR;
  *copy = *system;
  copy->zName = "facediary";
  copy->pNext = 0;
  copy->xOpen = csqlite_open_file;
  copy->xFullPathname = csqlite_full_path;
  return sqlite3_vfs_register(copy, 0);
}

/* SQLITE_STATIC and SQLITE_TRANSIENT are casts, which Swift does not import. The bytes stay
   the caller's and must outlive the step; Statement lends them only for that long. */
static inline int csqlite_bind_static(sqlite3_stmt *s, int i, const void *bytes, sqlite3_uint64 n) {
  return n == 0 ? sqlite3_bind_zeroblob(s, i, 0) : sqlite3_bind_blob64(s, i, bytes, n, SQLITE_STATIC);
}

static inline int csqlite_file(sqlite3 *handle, sqlite3_file **file) {
  int status = sqlite3_file_control(handle, "main", SQLITE_FCNTL_FILE_POINTER, file);
  if (status != SQLITE_OK) return status;
  return *file == 0 || (*file)->pMethods == 0 ? SQLITE_CANTOPEN : SQLITE_OK;
}

/* Bytes of the main database's file. */
static inline int csqlite_read(sqlite3 *handle, unsigned char *bytes, int count, sqlite3_int64 offset) {
  sqlite3_file *file = 0;
  int status = csqlite_file(handle, &file);
  return status == SQLITE_OK ? file->pMethods->xRead(file, bytes, count, offset) : status;
}

/* How many there are. */
static inline int csqlite_size(sqlite3 *handle, sqlite3_int64 *size) {
  sqlite3_file *file = 0;
  int status = csqlite_file(handle, &file);
  return status == SQLITE_OK ? file->pMethods->xFileSize(file, size) : status;
}
