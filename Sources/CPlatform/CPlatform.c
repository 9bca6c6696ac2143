#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "CPlatform.h"
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/vfs.h>
#else
#include <sys/param.h>
#include <sys/mount.h>
#include <sys/sysctl.h>
#include <stdio.h>
#include <mach-o/dyld.h>
#endif

int cplatform_forbid_dumps(void) {
  struct rlimit none = {0, 0};
  if (setrlimit(RLIMIT_CORE, &none) != 0) return -1;
#ifdef __linux__
  return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
#else
  return 0;
#endif
}

long cplatform_peer_user(int fd) {
#ifdef __linux__
  struct { pid_t pid; uid_t uid; gid_t gid; } peer;
  socklen_t length = sizeof peer;
  if (getsockopt(fd, SOL_SOCKET, 17 /* SO_PEERCRED */, &peer, &length) != 0) return -1;
  return (long)peer.uid;
#else
  uid_t uid; gid_t gid;
  return getpeereid(fd, &uid, &gid) == 0 ? (long)uid : -1;
#endif
}

int cplatform_in_memory(const char *path) {
#ifdef __linux__
  struct statfs facts;
  if (statfs(path, &facts) != 0) return -1;
  return facts.f_type == 0x01021994 || facts.f_type == 0x858458f6;
#else
  (void)path;
  return 0;
#endif
}

long long cplatform_boot_time(int counting_suspend) {
  struct timespec t;
#ifdef __linux__
  clockid_t which = counting_suspend ? CLOCK_BOOTTIME : CLOCK_MONOTONIC;
#else
  clockid_t which = counting_suspend ? CLOCK_MONOTONIC : CLOCK_UPTIME_RAW;
#endif
  if (clock_gettime(which, &t) != 0) return -1;
  return (long long)t.tv_sec * 1000000000LL + t.tv_nsec;
}

int cplatform_boot_id(unsigned char *id) {
#ifdef __linux__
  char text[64];
  int fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
  if (fd < 0) return -1;
  ssize_t n = read(fd, text, sizeof text - 1);
  close(fd);
#else
  char text[64];
  size_t size = sizeof text - 1;
  if (sysctlbyname("kern.bootsessionuuid", text, &size, NULL, 0) != 0) return -1;
  ssize_t n = (ssize_t)size;
#endif
  int digits = 0;
  for (ssize_t i = 0; i < n && digits < 32; i++) {
    char c = text[i];
    int v = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10
            : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
    if (v < 0) continue;
    if (digits % 2 == 0) id[digits / 2] = (unsigned char)(v << 4); else id[digits / 2] |= (unsigned char)v;
    digits++;
  }
  return digits == 32 ? 0 : -1;
}

int cplatform_rename_new(const char *one, const char *other) {
#ifdef __linux__
  if (renameat2(AT_FDCWD, one, AT_FDCWD, other, 1 /* RENAME_NOREPLACE */) == 0) return 0;
  if (errno != EINVAL && errno != ENOSYS) return -1;
#else
  if (renamex_np(one, other, RENAME_EXCL) == 0) return 0;
  if (errno != ENOTSUP && errno != EINVAL) return -1;
#endif
  /* A file system that cannot: a link never takes another file's place. */
  if (link(one, other) != 0) return -1;
  return unlink(one);
}

int cplatform_exchange(const char *one, const char *other) {
#ifdef __linux__
  return renameat2(AT_FDCWD, one, AT_FDCWD, other, 2 /* RENAME_EXCHANGE */);
#else
  return renamex_np(one, other, RENAME_SWAP);
#endif
}

int cplatform_window(int fd, unsigned short *rows, unsigned short *columns) {
  struct winsize w;
  if (ioctl(fd, TIOCGWINSZ, &w) != 0) return 0;
  *rows = w.ws_row;
  *columns = w.ws_col;
  return 1;
}

int cplatform_open(const char *path, int flags, int mode) { return open(path, flags, mode); }
int cplatform_open_at(int dir, const char *path, int flags, int mode) {
  return openat(dir, path, flags, mode);
}
int cplatform_set_nonblocking(int fd) {
  int flags = fcntl(fd, F_GETFL);
  return flags < 0 ? -1 : fcntl(fd, F_SETFL, flags | O_NONBLOCK);
}
int cplatform_set_cloexec(int fd) { return fcntl(fd, F_SETFD, FD_CLOEXEC); }

int cplatform_close_from(posix_spawn_file_actions_t *actions, int first) {
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 34)
  return posix_spawn_file_actions_addclosefrom_np(actions, first);
#else
  (void)actions; (void)first;
  return 0;
#endif
}

int cplatform_exit_status(int status) {
  if (WIFEXITED(status)) return WEXITSTATUS(status);
  if (WIFSIGNALED(status)) return 128 + WTERMSIG(status);
  return -1;
}

int cplatform_executable(char *path, unsigned int size) {
#ifdef __linux__
  ssize_t n = readlink("/proc/self/exe", path, size - 1);
  if (n <= 0) return -1;
  path[n] = 0;
  return 0;
#else
  return _NSGetExecutablePath(path, &size);
#endif
}
