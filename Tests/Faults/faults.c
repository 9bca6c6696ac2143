/* faults N WHAT FILE PROGRAM [ARG...]

   Runs a program and lets something happen at its Nth system call that changes anything outside it: WHAT is
   `kill`, `enospc`, `eio` (the call fails without being made), `enospc+` (that one and all after it), `short` (half
   of what it wanted to write is written), or `count` (nothing). Its threads and children count, too. The number of
   such calls is written to FILE. Ends as the program does; 137 when it was killed. */
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
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>
#include <linux/ptrace.h>
#ifdef __aarch64__
#include <asm/ptrace.h>
#include <elf.h>
#ifndef NT_ARM_SYSTEM_CALL
#define NT_ARM_SYSTEM_CALL 0x404
#endif
#endif

static int changes(const struct __ptrace_syscall_info *info) {
  const uint64_t *a = (const uint64_t *)info->entry.args;
  switch (info->entry.nr) {
  case SYS_write: case SYS_writev: case SYS_pwrite64: case SYS_pwritev: case SYS_pwritev2:
  case SYS_fsync: case SYS_fdatasync: case SYS_ftruncate: case SYS_truncate: case SYS_fallocate:
  case SYS_renameat: case SYS_renameat2: case SYS_unlinkat: case SYS_linkat: case SYS_symlinkat:
  case SYS_mkdirat: case SYS_fchmod: case SYS_fchmodat: case SYS_fchown: case SYS_copy_file_range:
  case SYS_sendfile:
#ifdef __x86_64__
  case SYS_rename: case SYS_unlink: case SYS_link: case SYS_symlink: case SYS_mkdir: case SYS_rmdir:
  case SYS_chmod: case SYS_creat:
#endif
    return 1;
  case SYS_openat: return (a[2] & (O_CREAT | O_TRUNC)) != 0;
#ifdef __x86_64__
  case SYS_open: return (a[1] & (O_CREAT | O_TRUNC)) != 0;
#endif
  default: return 0;
  }
}

/* Descriptors by which threads wake each other (eventfd): writing to one changes nothing outside. */
static unsigned char is_event[4096];
static pid_t making_event[64];
static int wakes(const struct __ptrace_syscall_info *info) {
  const uint64_t *a = (const uint64_t *)info->entry.args;
  return info->entry.nr == SYS_write && a[0] < sizeof is_event && is_event[a[0]] && a[2] == 8;
}
static void begin_event(pid_t pid) {
  for (int i = 0; i < 64; i++) if (!making_event[i]) { making_event[i] = pid; return; }
}
static void end_event(pid_t pid, long long descriptor) {
  for (int i = 0; i < 64; i++) {
    if (making_event[i] != pid) continue;
    making_event[i] = 0;
    if (descriptor >= 0 && descriptor < (long long)sizeof is_event) is_event[descriptor] = 1;
  }
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
  int sticky = strcmp(what, "enospc+") == 0;
  pid_t child = fork();
  if (child == 0) {
    ptrace(PTRACE_TRACEME, 0, 0, 0);
    raise(SIGSTOP);
    execvp(argv[4], argv + 4);
    _exit(127);
  }
  int status;
  waitpid(child, &status, 0);
  ptrace(PTRACE_SETOPTIONS, child, 0,
         PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACECLONE |
             PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL);
  ptrace(PTRACE_SYSCALL, child, 0, 0);
  long calls = 0;
  pid_t failing = 0; /* whose call is about to return our error */
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
    if (signal == (SIGTRAP | 0x80)) {
      struct __ptrace_syscall_info info;
      if (ptrace(PTRACE_GET_SYSCALL_INFO, pid, sizeof info, &info) > 0) {
        if (info.op == PTRACE_SYSCALL_INFO_ENTRY && info.entry.nr == SYS_eventfd2) begin_event(pid);
        if (info.op == PTRACE_SYSCALL_INFO_EXIT) end_event(pid, info.exit.rval);
        if (info.op == PTRACE_SYSCALL_INFO_ENTRY && changes(&info) && !wakes(&info)) {
          calls++;
          if (calls == nth || (sticky && calls > nth)) {
            if (strcmp(what, "kill") == 0) {
              kill(child, SIGKILL);
              result = 137;
              break;
            }
            if (error) { skip_call(pid); failing = pid; }
            else if (strcmp(what, "short") == 0 && is_write(info.entry.nr) && info.entry.args[2] > 1)
              set_third_argument(pid, info.entry.args[2] / 2);
          }
        } else if (info.op == PTRACE_SYSCALL_INFO_EXIT && failing == pid) {
          set_result(pid, -error);
          failing = 0;
        }
      }
      signal = 0;
    } else if (signal == SIGTRAP || signal == SIGSTOP) {
      signal = 0; /* a new thread or child, an exec */
    }
    ptrace(PTRACE_SYSCALL, pid, 0, signal);
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
