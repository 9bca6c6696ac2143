/* faults N WHAT FILE PROGRAM [ARG...]

   Runs a program and lets something happen at its Nth system call that changes anything outside it. WHAT is one of

   kill       it is killed, with all that it started
   kill-file  the same, at a call that changes a file for good: not at a sync, at SQLite's `-shm`, nor where a file that is
              there is opened
   enospc     the call fails without being made; only files count but `-shm`, as for the next three
   enospc+    that one and all after it, at any file
   eio        as enospc
   short      half of what it wanted to write is written
   count      nothing, at the calls at which `kill` would

   Its threads and children count, too. The number of such calls is written to FILE. Ends as the program does; 137 when it
   was killed. A seccomp filter names the calls that stop for us; all others run at full speed. */
#ifndef __linux__
int main(void) { return 2; }
#else
#define _GNU_SOURCE
#include <stdint.h>
#include <dirent.h>
#include <errno.h>
#include <stddef.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>
#include <linux/filter.h>
#include <linux/ptrace.h>
#include <linux/seccomp.h>
#ifdef __aarch64__
#include <asm/ptrace.h>
#include <elf.h>
#ifndef NT_ARM_SYSTEM_CALL
#define NT_ARM_SYSTEM_CALL 0x404
#endif
#endif

/* The calls that change anything outside; of those that open, only with flags that create or empty a file. */
static const int changing[] = {
    SYS_write, SYS_writev, SYS_pwrite64, SYS_pwritev, SYS_pwritev2, SYS_fsync, SYS_fdatasync, SYS_ftruncate,
    SYS_truncate, SYS_fallocate, SYS_renameat, SYS_renameat2, SYS_unlinkat, SYS_linkat, SYS_symlinkat, SYS_mkdirat,
    SYS_fchmod, SYS_fchmodat, SYS_fchown, SYS_copy_file_range, SYS_sendfile,
#ifdef __x86_64__
    SYS_rename, SYS_unlink, SYS_link, SYS_symlink, SYS_mkdir, SYS_rmdir, SYS_chmod, SYS_creat,
#endif
};
enum { changing_count = sizeof changing / sizeof changing[0] };
static const struct { int call, flags; } opening[] = {
    {SYS_openat, 2},
#ifdef __x86_64__
    {SYS_open, 1},
#endif
};
enum { opening_count = sizeof opening / sizeof opening[0] };

/* Makes the calling process and all that it starts stop at these calls. */
static int stop_at_changes(void) {
  struct sock_filter program[changing_count * 2 + opening_count * 5 + 2];
  unsigned short n = 0;
#define CALL BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr))
#define STOP BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRACE)
#define EQUAL(k, no) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (k), 0, (no))
  program[n++] = (struct sock_filter)CALL;
  for (int i = 0; i < changing_count; i++) {
    program[n++] = (struct sock_filter)EQUAL((unsigned)changing[i], 1);
    program[n++] = (struct sock_filter)STOP;
  }
  for (int i = 0; i < opening_count; i++) {
    /* Little-endian, as both machines are: the low half of an argument comes first. */
    unsigned flags = offsetof(struct seccomp_data, args) + 8u * (unsigned)opening[i].flags;
    program[n++] = (struct sock_filter)EQUAL((unsigned)opening[i].call, 4);
    program[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, flags);
    program[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, O_CREAT | O_TRUNC, 0, 1);
    program[n++] = (struct sock_filter)STOP;
    program[n++] = (struct sock_filter)CALL;
  }
  program[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  struct sock_fprog filter = {n, program};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

/* Whether opening a file changes anything; of one with a relative path nothing is known. */
static int makes(pid_t pid, unsigned long long address, unsigned long long flags) {
  char path[4096];
  struct iovec here = {path, sizeof path - 1}, there = {(void *)(uintptr_t)address, sizeof path - 1};
  /* A read that goes past the end of what is mapped gives less. */
  ssize_t length = process_vm_readv(pid, &here, 1, &there, 1, 0);
  for (size_t most = 4096; length <= 0 && most > 1; most /= 2) {
    there.iov_len = most - address % most;
    length = process_vm_readv(pid, &here, 1, &there, 1, 0);
  }
  if (length <= 0 || !memchr(path, 0, (size_t)length) || path[0] != '/') return 1;
  return (flags & O_TRUNC) != 0 || access(path, F_OK) != 0;
}

enum scope { ANYTHING, FILES, STORED, LASTING };

/* Whether a call that stopped is one that counts. Descriptors by which threads wake each other (eventfd) never do. */
static int counts(pid_t pid, const struct __ptrace_syscall_info *info, enum scope scope) {
  unsigned long long nr = info->seccomp.nr;
  unsigned long long descriptor = info->seccomp.args[nr == SYS_copy_file_range ? 2 : 0];
  switch (nr) {
  case SYS_fsync: case SYS_fdatasync:
    if (scope == LASTING) return 0;
    break;
  case SYS_write: case SYS_writev: case SYS_pwrite64: case SYS_pwritev: case SYS_pwritev2: case SYS_ftruncate:
  case SYS_fallocate: case SYS_fchmod: case SYS_fchown: case SYS_copy_file_range: case SYS_sendfile:
    break;
  case SYS_openat: return scope != LASTING || makes(pid, info->seccomp.args[1], info->seccomp.args[2]);
#ifdef __x86_64__
  case SYS_open: return scope != LASTING || makes(pid, info->seccomp.args[0], info->seccomp.args[1]);
#endif
  default: return 1;
  }
  char path[64], file[4096];
  snprintf(path, sizeof path, "/proc/%d/fd/%llu", pid, descriptor);
  ssize_t length = readlink(path, file, sizeof file);
  if (length < 4) return 1;
  if (scope == ANYTHING) return memcmp(file, "anon", 4) != 0;
  if (file[0] != '/' || (length > 9 && memcmp(file, "/dev/", 5) == 0 && memcmp(file, "/dev/shm/", 9) != 0)) return 0;
  return scope == FILES || memcmp(file + length - 4, "-shm", 4) != 0;
}

static int is_write(unsigned long long nr) { return nr == SYS_write || nr == SYS_pwrite64; }

static void skip_call(pid_t pid) {
#ifdef __x86_64__
  ptrace(PTRACE_POKEUSER, pid, offsetof(struct user_regs_struct, orig_rax), -1L);
#else
  int none = -1;
  struct iovec v = {&none, sizeof none};
  ptrace(PTRACE_SETREGSET, pid, NT_ARM_SYSTEM_CALL, &v);
#endif
}

static void set_result(pid_t pid, long value) {
#ifdef __x86_64__
  ptrace(PTRACE_POKEUSER, pid, offsetof(struct user_regs_struct, rax), value);
#else
  struct user_pt_regs regs;
  struct iovec v = {&regs, sizeof regs};
  ptrace(PTRACE_GETREGSET, pid, NT_PRSTATUS, &v);
  regs.regs[0] = (unsigned long long)value;
  ptrace(PTRACE_SETREGSET, pid, NT_PRSTATUS, &v);
#endif
}

static void set_third_argument(pid_t pid, unsigned long long value) {
#ifdef __x86_64__
  ptrace(PTRACE_POKEUSER, pid, offsetof(struct user_regs_struct, rdx), value);
#else
  struct user_pt_regs regs;
  struct iovec v = {&regs, sizeof regs};
  ptrace(PTRACE_GETREGSET, pid, NT_PRSTATUS, &v);
  regs.regs[2] = value;
  ptrace(PTRACE_SETREGSET, pid, NT_PRSTATUS, &v);
#endif
}

/* Whether any thread of a process still runs, and holds its files and locks. */
static int lives(pid_t pid) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/task", pid);
  DIR *tasks = opendir(path);
  if (!tasks) return 0;
  int found = 0;
  for (struct dirent *entry; (entry = readdir(tasks));) {
    if (entry->d_name[0] == '.') continue;
    char stat[128], text[512] = "";
    snprintf(stat, sizeof stat, "%s/%s/stat", path, entry->d_name);
    FILE *file = fopen(stat, "r");
    if (!file) continue;
    size_t n = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[n] = 0;
    char *state = strrchr(text, ')');
    if (state && state[2] != 'Z' && state[2] != 'X') found = 1;
  }
  closedir(tasks);
  return found;
}

/* Every process and thread that is traced. */
static pid_t traced[4096];
static int traced_count = 0;
static void remember(pid_t pid) {
  for (int i = 0; i < traced_count; i++) if (traced[i] == pid) return;
  if (traced_count < 4096) traced[traced_count++] = pid;
}
static int any_lives(void) {
  for (int i = 0; i < traced_count; i++) if (lives(traced[i])) return 1;
  return 0;
}

int main(int argc, char **argv) {
  if (argc < 5) return 2;
  long nth = atol(argv[1]);
  const char *what = argv[2];
  int error = strncmp(what, "enospc", 6) == 0 ? ENOSPC : strcmp(what, "eio") == 0 ? EIO : 0;
  int kills = strncmp(what, "kill", 4) == 0;
  enum scope scope = strcmp(what, "kill-file") == 0 ? LASTING : kills || strcmp(what, "count") == 0 ? ANYTHING : STORED;
  int sticky = strcmp(what, "enospc+") == 0;
  pid_t child = fork();
  if (child == 0) {
    ptrace(PTRACE_TRACEME, 0, 0, 0);
    raise(SIGSTOP);
    if (!stop_at_changes()) _exit(126);
    execvp(argv[4], argv + 4);
    _exit(127);
  }
  int status;
  waitpid(child, &status, 0);
  ptrace(PTRACE_SETOPTIONS, child, 0,
         PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACECLONE |
             PTRACE_O_TRACEEXEC | PTRACE_O_TRACESECCOMP | PTRACE_O_EXITKILL);
  ptrace(PTRACE_CONT, child, 0, 0);
  long calls = 0;
  int result = 0;
  for (;;) {
    pid_t pid = waitpid(-1, &status, __WALL);
    if (pid < 0) break;
    if (WIFEXITED(status) || WIFSIGNALED(status)) {
      if (pid != child) continue;
      result = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
      break; /* what it left running ends with us */
    }
    if (!WIFSTOPPED(status)) continue;
    remember(pid);
    int signal = WSTOPSIG(status);
    if (status >> 8 == (SIGTRAP | PTRACE_EVENT_SECCOMP << 8)) {
      struct __ptrace_syscall_info info;
      if (ptrace(PTRACE_GET_SYSCALL_INFO, pid, sizeof info, &info) > 0 && counts(pid, &info, scope)) {
        calls++;
        if (sticky && calls >= nth && nth > 0) scope = FILES;
        if (calls == nth || (sticky && calls > nth)) {
          if (kills) {
            kill(child, SIGKILL);
            result = 137;
            break;
          }
          if (error) { skip_call(pid); set_result(pid, -error); }
          else if (strcmp(what, "short") == 0 && is_write(info.seccomp.nr) && info.seccomp.args[2] > 1)
            set_third_argument(pid, info.seccomp.args[2] / 2);
        }
      }
      signal = 0;
    } else if (signal == SIGTRAP || signal == SIGSTOP) {
      signal = 0; /* a new thread or child, an exec */
    }
    ptrace(PTRACE_CONT, pid, 0, signal);
  }
  /* Everything it started must be gone, each thread of it, before anybody looks. (Waiting for a killed leader's
     threads can block for ever; looking does not.) */
  remember(child);
  for (int i = 0; i < traced_count; i++) kill(traced[i], SIGKILL);
  for (int tries = 0; tries < 10000 && any_lives(); tries++) {
    pid_t pid;
    while ((pid = waitpid(-1, &status, __WALL | WNOHANG)) > 0) {
      if (WIFSTOPPED(status)) {
        kill(pid, SIGKILL);
        ptrace(PTRACE_CONT, pid, 0, 0);
      }
    }
    usleep(200);
  }
  FILE *file = fopen(argv[3], "w");
  if (file) { fprintf(file, "%ld\n", calls); fclose(file); }
  return result;
}
#endif
