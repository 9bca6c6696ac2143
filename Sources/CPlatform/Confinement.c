/* Giving up what a process does not need: files by Landlock (Linux 5.13), calls by seccomp. The numbers are the
   kernel's interface, written out so that old headers do. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "CPlatform.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <linux/sockios.h>
#include <sched.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { create_ruleset = 444, add_rule = 445, restrict_self = 446 };
enum { rule_path_beneath = 1, want_version = 1 };

/* Rights of files, by the version of Landlock that brought them. */
enum {
  fs_execute = 1 << 0, fs_write_file = 1 << 1, fs_read_file = 1 << 2, fs_read_dir = 1 << 3,
  fs_version_1 = (1 << 13) - 1, fs_refer = 1 << 13, fs_truncate = 1 << 14, fs_ioctl = 1 << 15
};

struct ruleset { uint64_t handled_access_fs; };
struct path_beneath { uint64_t allowed_access; int32_t parent; } __attribute__((packed));

static uint64_t handled(void) {
  long version = syscall(create_ruleset, NULL, 0, want_version);
  if (version < 1) return 0;
  uint64_t all = fs_version_1;
  if (version >= 2) all |= fs_refer;
  if (version >= 3) all |= fs_truncate;
  /* Terminals are asked for their settings by ioctl: those stay allowed. */
  return all;
}

int cplatform_files_begin(void) {
  struct ruleset rules = {handled()};
  if (rules.handled_access_fs == 0) return -1;
  int fd = (int)syscall(create_ruleset, &rules, sizeof rules, 0);
  if (fd >= 0) cplatform_set_cloexec(fd);
  return fd;
}

int cplatform_files_allow(int rules, const char *path, int writing) {
  int file = open(path, O_PATH | O_CLOEXEC);
  if (file < 0) return -1;
  struct stat facts;
  uint64_t allowed = fs_read_file | fs_read_dir;
  if (writing) allowed = handled() & ~(uint64_t)fs_execute;
  if (fstat(file, &facts) == 0 && !S_ISDIR(facts.st_mode))
    allowed &= fs_read_file | (writing ? fs_write_file | (handled() & fs_truncate) : 0);
  struct path_beneath rule = {allowed, file};
  int status = (int)syscall(add_rule, rules, rule_path_beneath, &rule, 0);
  close(file);
  return status;
}

int cplatform_is_refused(int what, const char *path) {
  int fd = -1;
  switch (what) {
  case 0: fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC); break;
  case 1: {
    /* No such program: what refuses the call says something else than that it is missing. */
    char *const none[] = {NULL};
    execve("", none, none);
    return errno == EPERM;
  }
  /* Neither has a terminal or a process to work on: what refuses the call is asked first. */
  case 3: return ioctl(-1, TIOCSTI, "") < 0 && errno == EPERM;
  case 4: return syscall(438 /* pidfd_getfd */, -1, -1, 0) < 0 && errno == EPERM;
  /* No such file. */
  case 5: return syscall(SYS_setxattr, "", "user.x", "", 0, 0) < 0 && errno == EPERM;
  case 6: return fcntl(-1, F_SETOWN, 0) < 0 && errno == EPERM;
  default: fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  }
  if (fd < 0) return errno == (what == 0 ? EACCES : EPERM);
  close(fd);
  return 0;
}

int cplatform_files_enforce(int rules) {
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -1;
  return (int)syscall(restrict_self, rules, 0);
}

#if defined(__x86_64__)
#define THIS_ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define THIS_ARCH AUDIT_ARCH_AARCH64
#endif

#ifdef THIS_ARCH
#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define REFUSE(number) \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (number), 0, 1), \
  BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM)

static int install(struct sock_filter *code, size_t count) {
  struct sock_fprog program = {(unsigned short)count, code};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -1;
  /* All threads at once, or none. */
  return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program);
}
#define INSTALL(code) install(code, sizeof(code) / sizeof *(code))

#define HEAD \
  LOAD(arch), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, THIS_ARCH, 1, 0), \
  BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS), LOAD(nr), \
  /* The second numbering of x86-64 would go round the list. */ \
  BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1), \
  BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS)
#define ALLOW BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
/* Refused unless the first argument, a process, is this one. */
#define OWN_ONLY(number, own) \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (number), 0, 4), LOAD(args[0]), \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (own), 1, 0), \
  BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM), ALLOW

static int refuse_programs(void) {
  struct sock_filter code[] = {
    HEAD, REFUSE(SYS_execve), REFUSE(SYS_execveat), REFUSE(SYS_ptrace),
    REFUSE(SYS_process_vm_readv), REFUSE(SYS_process_vm_writev), REFUSE(SYS_mount),
    REFUSE(SYS_unshare), REFUSE(SYS_setns), REFUSE(SYS_bpf), REFUSE(SYS_perf_event_open),
    REFUSE(SYS_keyctl), REFUSE(SYS_add_key), REFUSE(SYS_request_key), REFUSE(SYS_init_module),
    REFUSE(SYS_finit_module), REFUSE(SYS_kcmp), REFUSE(SYS_userfaultfd), REFUSE(SYS_chroot),
    REFUSE(SYS_pivot_root), REFUSE(SYS_umount2), REFUSE(SYS_open_by_handle_at),
    /* By number, where headers may be older: open_tree, move_mount, fsopen, fsconfig, fsmount, fspick; pidfd_getfd;
       process_madvise; mount_setattr; open_tree_attr; pidfd_send_signal. */
    REFUSE(428), REFUSE(429), REFUSE(430), REFUSE(431), REFUSE(432), REFUSE(433), REFUSE(438),
    REFUSE(440), REFUSE(442), REFUSE(467), REFUSE(424),
    /* What Landlock does not know of files: a text could stand in an attribute. The forms without a path work on what is open;
       setxattrat, removexattrat, fchmodat2, file_setattr. */
    REFUSE(SYS_setxattr), REFUSE(SYS_lsetxattr), REFUSE(SYS_fsetxattr), REFUSE(SYS_removexattr),
    REFUSE(SYS_lremovexattr), REFUSE(SYS_fremovexattr), REFUSE(463), REFUSE(466),
    REFUSE(469),
    REFUSE(SYS_fchmodat), REFUSE(452), REFUSE(SYS_fchownat), REFUSE(SYS_utimensat),
#ifdef SYS_chmod
    REFUSE(SYS_chmod), REFUSE(SYS_chown), REFUSE(SYS_lchown), REFUSE(SYS_utime), REFUSE(SYS_utimes),
    REFUSE(SYS_futimesat),
#endif
    /* Memory and messages that other processes find by a number. */
    REFUSE(SYS_shmget), REFUSE(SYS_shmat), REFUSE(SYS_msgget), REFUSE(SYS_msgsnd),
    REFUSE(SYS_shmctl), REFUSE(SYS_msgrcv), REFUSE(SYS_msgctl), REFUSE(SYS_semget), REFUSE(SYS_semop),
    REFUSE(SYS_semtimedop), REFUSE(SYS_semctl), REFUSE(SYS_mq_open), REFUSE(SYS_mq_unlink),
    /* Other processes are not ended, limited or slowed. */
    REFUSE(SYS_tkill), REFUSE(SYS_rt_sigqueueinfo), REFUSE(SYS_rt_tgsigqueueinfo),
    REFUSE(SYS_sched_setscheduler), REFUSE(SYS_sched_setattr), REFUSE(SYS_sched_setparam),
    REFUSE(SYS_sched_setaffinity), REFUSE(SYS_setpriority), REFUSE(SYS_ioprio_set),
    OWN_ONLY(SYS_kill, getpid()), LOAD(nr), OWN_ONLY(SYS_tgkill, getpid()), LOAD(nr),
    OWN_ONLY(SYS_prlimit64, 0), LOAD(nr),
#ifdef SYS_fork
    REFUSE(SYS_fork), REFUSE(SYS_vfork),
#endif
    /* clone3 hides its flags from us: the C library then uses clone, which may make threads alone. */
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone3, 0, 1),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 4), LOAD(args[0]),
    BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 1, 0),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM), ALLOW,
    /* The kernel sends no signal to another process in our name. */
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_fcntl, 0, 6), LOAD(args[1]),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, F_SETOWN, 2, 0),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, F_SETOWN_EX, 1, 0),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, F_SETSIG, 0, 1),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM), ALLOW,
    /* Nothing is typed into the terminal in its owner's name. The last two are other names of F_SETOWN. */
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_ioctl, 0, 6), LOAD(args[1]),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, TIOCSTI, 3, 0),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, TIOCLINUX, 2, 0),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, FIOSETOWN, 1, 0),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SIOCSPGRP, 0, 1),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM), ALLOW};
  return INSTALL(code);
}

static int refuse_network(void) {
  struct sock_filter code[] = {
    HEAD, REFUSE(SYS_socket), REFUSE(SYS_connect), REFUSE(SYS_bind), REFUSE(SYS_listen),
    REFUSE(SYS_socketpair), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 425 /* io_uring_setup */, 0, 1),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS), ALLOW};
  return INSTALL(code);
}

int cplatform_restrict_calls(int no_programs, int no_network) {
  if (no_network && refuse_network() != 0) return -1;
  if (no_programs && refuse_programs() != 0) return -1;
  return 0;
}
#else
int cplatform_restrict_calls(int no_programs, int no_network) {
  (void)no_programs; (void)no_network;
  return -1;
}
#endif
