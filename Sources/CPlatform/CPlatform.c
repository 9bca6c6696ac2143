#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "CPlatform.h"
#include <dirent.h>
#include <errno.h>
#include <sys/eventfd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <signal.h>
#include <sys/syscall.h>
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
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/vfs.h>
#ifdef SYS_openat2
#include <linux/openat2.h>
#endif

int cplatform_forbid_dumps(void) {
  // One byte: a limit of none is not heeded where the kernel hands dumps to a program.
  struct rlimit limit;
  if (getrlimit(RLIMIT_CORE, &limit) != 0) return -1;
  if (limit.rlim_max > 1) limit.rlim_max = 1;
  limit.rlim_cur = limit.rlim_max;
  if (setrlimit(RLIMIT_CORE, &limit) != 0) return -1;
  return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}

long cplatform_peer(int fd, int *process) {
  struct ucred peer;
  socklen_t length = sizeof peer;
  if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &length) != 0) return -1;
  *process = peer.pid;
  return (long)peer.uid;
}

int cplatform_socket(void) { return socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0); }
int cplatform_socket_pair(int ends[2]) {
  return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends);
}
int cplatform_accept(int fd) { return accept4(fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK); }

const short cplatform_spawn_session = POSIX_SPAWN_SETSID;

int cplatform_send_descriptor(int socket, int fd) {
  char byte = 0;
  struct iovec part = {&byte, 1};
  union { struct cmsghdr head; char room[CMSG_SPACE(sizeof fd)]; } control = {0};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
  control.head = (struct cmsghdr){CMSG_LEN(sizeof fd), SOL_SOCKET, SCM_RIGHTS};
  memcpy(CMSG_DATA(&control.head), &fd, sizeof fd);
  ssize_t sent;
  do sent = sendmsg(socket, &message, MSG_NOSIGNAL); while (sent < 0 && errno == EINTR);
  return sent == 1 ? 0 : -1;
}

int cplatform_receive_descriptor(int socket) {
  char byte;
  struct iovec part = {&byte, 1};
  int fd = -1;
  union { struct cmsghdr head; char room[CMSG_SPACE(sizeof fd)]; } control = {0};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
  ssize_t got;
  do got = recvmsg(socket, &message, MSG_CMSG_CLOEXEC); while (got < 0 && errno == EINTR);
  struct cmsghdr *head = got == 1 ? CMSG_FIRSTHDR(&message) : NULL;
  if (head && head->cmsg_level == SOL_SOCKET && head->cmsg_type == SCM_RIGHTS && head->cmsg_len == CMSG_LEN(sizeof fd))
    memcpy(&fd, CMSG_DATA(head), sizeof fd);
  return fd;
}

int cplatform_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC); }

int cplatform_temporary_file(char *path) { return mkostemp(path, O_CLOEXEC); }

int cplatform_open_unnamed(const char *directory, int mode) {
  return open(directory, O_TMPFILE | O_WRONLY | O_CLOEXEC, mode);
}
int cplatform_link_unnamed(int fd, const char *path) {
  char self[64];
  snprintf(self, sizeof self, "/proc/self/fd/%d", fd);
  return linkat(AT_FDCWD, self, AT_FDCWD, path, AT_SYMLINK_FOLLOW);
}

int cplatform_end_with_parent(int wanted) {
  return prctl(PR_SET_PDEATHSIG, wanted ? SIGTERM : 0, 0, 0, 0);
}

void cplatform_return_memory(void) {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}
void cplatform_set_name(const char *name) { prctl(PR_SET_NAME, name, 0, 0, 0); }
int cplatform_signal_main(int number) {
  return (int)syscall(SYS_tgkill, getpid(), getpid(), number);
}
int cplatform_process_descriptor(int process) { return (int)syscall(SYS_pidfd_open, process, 0); }

int cplatform_in_memory(const char *path) {
  struct statfs facts;
  if (statfs(path, &facts) != 0) return -1;
  return facts.f_type == 0x01021994 || facts.f_type == 0x858458f6;
}

long long cplatform_boot_time(int counting_suspend) {
  struct timespec t;
  clockid_t which = counting_suspend ? CLOCK_BOOTTIME : CLOCK_MONOTONIC;
  if (clock_gettime(which, &t) != 0) return -1;
  return (long long)t.tv_sec * 1000000000LL + t.tv_nsec;
}

int cplatform_boot_id(unsigned char *id) {
  char text[64];
  int fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
  if (fd < 0) return -1;
  ssize_t n = read(fd, text, sizeof text - 1);
  close(fd);
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
  if (renameat2(AT_FDCWD, one, AT_FDCWD, other, 1 /* RENAME_NOREPLACE */) == 0) return 0;
  if (errno != EINVAL && errno != ENOSYS) return -1;
  return cplatform_rename_stepwise(one, other);
}

int cplatform_rename_stepwise(const char *one, const char *other) {
  /* A link never takes another file's place. */
  if (link(one, other) == 0) return unlink(one);
  if (errno != EPERM && errno != EOPNOTSUPP && errno != ENOSYS) return -1;
  /* Nor has it links, or it is a folder: whoever makes the name first has it. An empty folder is replaced by another as one step. */
  struct stat facts;
  if (lstat(one, &facts) == 0 && S_ISDIR(facts.st_mode)) {
    if (mkdir(other, 0700) != 0) return -1;
    if (rename(one, other) == 0) return 0;
    int error = errno;
    rmdir(other);
    errno = error;
    return -1;
  }
  int taken = open(other, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (taken < 0) return -1;
  close(taken);
  if (rename(one, other) == 0) return 0;
  int error = errno;
  unlink(other);
  errno = error;
  return -1;
}

/* The name of a folder that is moved up to the top of its tree. */
static void moved_name(char name[32], unsigned number) {
  char *end = stpcpy(name, ".facediary-");
  do { *end++ = (char)('0' + number % 10); number /= 10; } while (number > 0);
  *end = 0;
}

/* By system calls alone: a signal's handler removes trees, too, and has no allocator. A folder that lies very deep, as an archive may have
   it, is moved to the top, whose number counts what was moved. */
static void remove_tree(int directory, const char *name, int depth, int top, unsigned *moved) {
  const int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
  int fd = openat(directory, name, flags);
  /* An archive may give its folders any mode. A link fails with another error. */
  if (fd < 0 && errno == EACCES && fchmodat(directory, name, 0700, AT_SYMLINK_NOFOLLOW) == 0)
    fd = openat(directory, name, flags);
  if (fd < 0) {
    unlinkat(directory, name, 0);
    return;
  }
  fchmod(fd, 0700);
  _Alignas(struct dirent64) char buffer[2048];
  for (long size; (size = syscall(SYS_getdents64, fd, buffer, sizeof buffer)) > 0;)
    for (long at = 0; at < size;) {
      const struct dirent64 *each = (const struct dirent64 *)(buffer + at);
      at += each->d_reclen;
      if (strcmp(each->d_name, ".") == 0 || strcmp(each->d_name, "..") == 0) continue;
      if (depth > 0) {
        remove_tree(fd, each->d_name, depth - 1, top < 0 ? fd : top, moved);
      } else if (unlinkat(fd, each->d_name, 0) != 0) {
        char up[32];
        int status;
        fchmodat(fd, each->d_name, 0700, AT_SYMLINK_NOFOLLOW);
        do {
          moved_name(up, (*moved)++);
          status = renameat(fd, each->d_name, top, up);
        } while (status != 0 && (errno == EEXIST || errno == ENOTEMPTY));
        if (status != 0) --*moved;
      }
    }
  close(fd);
  unlinkat(directory, name, AT_REMOVEDIR);
}

void cplatform_remove_tree(const char *path) {
  /* Each round removes what lay 32 folders deep; a tree of the longest paths there are takes a hundred. Another thread may still put
     something there while a signal's handler removes it: then once more. */
  for (unsigned moved = 0, before = 0, rounds = 0, again = 0; rounds < 4096; rounds++, before = moved) {
    remove_tree(AT_FDCWD, path, 32, -1, &moved);
    if (moved == before && (access(path, F_OK) != 0 || ++again > 64)) return;
  }
}

void cplatform_remove_directory(int fd, const char *path) {
  /* As above. What has the name by now and is not empty stays. */
  for (unsigned moved = 0, before = 0, rounds = 0, again = 0; rounds < 4096; rounds++, before = moved) {
    remove_tree(fd, ".", 32, -1, &moved);
    if (moved == before && (rmdir(path) == 0 || errno == ENOENT || ++again > 64)) return;
  }
}

int cplatform_sync_all(int fd) { return syncfs(fd); }

int cplatform_exchange(const char *one, const char *other) {
  return renameat2(AT_FDCWD, one, AT_FDCWD, other, 2 /* RENAME_EXCHANGE */);
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
int cplatform_set_blocking(int fd) {
  int flags = fcntl(fd, F_GETFL);
  return flags < 0 ? -1 : fcntl(fd, F_SETFL, flags & ~O_NONBLOCK);
}
int cplatform_set_direct(int fd, int on) {
  int flags = fcntl(fd, F_GETFL);
  if (flags < 0) return -1;
  return fcntl(fd, F_SETFL, on ? flags | O_DIRECT : flags & ~O_DIRECT);
}
int64_t cplatform_next_data(int fd, int64_t offset) { return lseek(fd, offset, SEEK_DATA); }
int cplatform_set_cloexec(int fd) { return fcntl(fd, F_SETFD, FD_CLOEXEC); }

int cplatform_change_directory(posix_spawn_file_actions_t *actions, const char *path) {
  return posix_spawn_file_actions_addchdir_np(actions, path);
}

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
  ssize_t n = readlink("/proc/self/exe", path, size - 1);
  if (n <= 0) return -1;
  path[n] = 0;
  return 0;
}

/* The same step by step, where the kernel cannot do it at once. */
static int open_step_by_step(int directory, const char *path, int flags) {
  char step[256];
  int at = directory;
  if (*path == '/' || *path == 0) {
    errno = EXDEV;
    return -1;
  }
  while (1) {
    size_t length = strcspn(path, "/");
    int is_last = path[length] == 0;
    int next = -1;
    if (length == 0 || length >= sizeof step) {
      errno = length == 0 ? ENOENT : ENAMETOOLONG;
    } else {
      memcpy(step, path, length);
      step[length] = 0;
      if (strcmp(step, "..") == 0) errno = EXDEV;
      else next = openat(at, step, (is_last ? flags : O_PATH | O_DIRECTORY | O_CLOEXEC) | O_NOFOLLOW);
    }
    int error = errno;
    if (at != directory) close(at);
    errno = error;
    if (next < 0 || is_last) return next;
    at = next;
    path += length + 1;
  }
}

int cplatform_open_beneath(int directory, const char *path) {
  int flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;
#ifdef SYS_openat2
  struct open_how how = {.flags = flags, .resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS};
  long file = syscall(SYS_openat2, directory, path, &how, sizeof how);
  if (file >= 0 || (errno != ENOSYS && errno != EPERM)) return (int)file;
#endif
  return open_step_by_step(directory, path, flags);
}

long cplatform_find(const void *bytes, long size, const void *needle, long length) {
  const void *found = memmem(bytes, (size_t)size, needle, (size_t)length);
  return found ? (const char *)found - (const char *)bytes : -1;
}

extern int _dispatch_get_main_queue_handle_4CF(void);
extern void _dispatch_main_queue_callback_4CF(void *message);

int cplatform_main_queue(void) { return _dispatch_get_main_queue_handle_4CF(); }

void cplatform_run_main_queue(void) {
  eventfd_t count;
  eventfd_read(cplatform_main_queue(), &count);
  _dispatch_main_queue_callback_4CF(NULL);
}
