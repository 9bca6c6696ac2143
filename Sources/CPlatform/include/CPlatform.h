/* The few things of the operating system that Swift cannot call or see by itself: functions
   with variable arguments, structs hidden behind _GNU_SOURCE, macros with casts. */
#pragma once
#include <spawn.h>

/* No core file, no ptrace by another process of the same user, no /proc/PID/mem. 0 on success. */
int cplatform_forbid_dumps(void);

/* The effective user at the other end of a local socket, or -1. */
long cplatform_peer_user(int fd);

/* 1 when the directory lives in memory (tmpfs, ramfs), 0 when not, -1 when it can't be told. */
int cplatform_in_memory(const char *path);

/* 16 bytes that differ after every start of the machine; 0 when they could be had. */
int cplatform_boot_id(unsigned char *id);

/* Renames, never over something that is there (EEXIST); 0 when done. */
int cplatform_rename_new(const char *one, const char *other);

/* Exchanges two names at once; 0 when done. */
int cplatform_exchange(const char *one, const char *other);

/* Nanoseconds since boot, with or without the time the machine was suspended; -1 on failure. */
long long cplatform_boot_time(int counting_suspend);

/* The size of a terminal's window; 0 when fd is none. */
int cplatform_window(int fd, unsigned short *rows, unsigned short *columns);

/* open, openat and fcntl without variable arguments. */
int cplatform_open(const char *path, int flags, int mode);
int cplatform_open_at(int dir, const char *path, int flags, int mode);
int cplatform_set_nonblocking(int fd);
int cplatform_set_cloexec(int fd);

/* A child gets descriptors 0 to 2 and no other. Ours are all close-on-exec; this also closes
   what a parent of ours may have left open. */
int cplatform_close_from(posix_spawn_file_actions_t *actions, int first);

/* The exit code a shell would show for a wait status. */
int cplatform_exit_status(int status);

/* Where this program's file is, into path; 0 on success. */
int cplatform_executable(char *path, unsigned int size);
