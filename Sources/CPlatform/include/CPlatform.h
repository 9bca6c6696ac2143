/* The few things of the operating system that Swift cannot call or see by itself: functions
   with variable arguments, structs hidden behind _GNU_SOURCE, macros with casts. */
#pragma once
#include <spawn.h>

/* No core file, no ptrace by another process of the same user, no /proc/PID/mem. 0 on success. */
int cplatform_forbid_dumps(void);

/* The effective user at the other end of a local socket and its process, or -1. */
long cplatform_peer(int fd, int *process);

/* Local stream sockets and pipes, close-on-exec; what is accepted does not block. */
int cplatform_socket(void);
int cplatform_socket_pair(int ends[2]);
int cplatform_accept(int fd);
/* A descriptor of ours to the other end of a local socket, and from it, close-on-exec; -1 on failure. */
int cplatform_send_descriptor(int socket, int fd);
int cplatform_receive_descriptor(int socket);
int cplatform_pipe(int ends[2]);

/* A socket that listens on a free port of 127.0.0.1, does not block, close-on-exec; -1 on failure, with EADDRINUSE when somebody has
   the same port of ::1. `held` get two sockets, numbered from 64, that have that port of either address and accept nothing: as
   long as any process has them, nobody else can listen there. The second is -1 where there is no version 6. */
int cplatform_listen_loopback(int held[2]);
/* The port of a socket of version 4, -1 on failure. */
int cplatform_port(int fd);
/* The port of the other end of a connection from 127.0.0.1, -1 for another. */
int cplatform_peer_port(int fd);
/* A socket to ask the kernel with whose a connection is; -1 on failure. */
int cplatform_ask_kernel(void);
/* The user who has the other end of a connection to us over 127.0.0.1; -1 for none, -2 when the kernel does not say. */
long cplatform_peer_user(int kernel, int client);

/* mkostemp, close-on-exec. */
int cplatform_temporary_file(char *template_path);

/* A file without a name in a directory, and its name given at last; -1 on failure. */
int cplatform_open_unnamed(const char *directory, int mode);
int cplatform_link_unnamed(int fd, const char *path);

/* Opens a file below a directory for reading, close-on-exec, without waiting and without following any link on the way;
   -1 with ELOOP for a link, EXDEV for a path that leads outside. */
int cplatform_open_beneath(int directory, const char *path);

/// Whether this process gets SIGTERM when the thread that started it ends. 0, or -1.
int cplatform_end_with_parent(int wanted);

/* What process lists call us, at most 15 bytes. */
void cplatform_set_name(const char *name);

/* Gives freed memory back to the system. */
void cplatform_return_memory(void);

/* POSIX_SPAWN_SETSID, which headers hide: the started program leads a session without a terminal. */
extern const short cplatform_spawn_session;

/* A signal for the main thread alone; a descriptor that is readable when a process has ended. */
int cplatform_signal_main(int number);
int cplatform_process_descriptor(int process);

/* Signals.c: handlers that put things right before they end us, or write a byte into a pipe. */
struct termios;
void cplatform_signals_install(void);
void cplatform_put_right(void);
/* Lines without echo, in which Ctrl-C works and Ctrl-Z does not. */
void cplatform_silence(struct termios *settings);
void cplatform_guard_terminal(int fd, const struct termios *before);
void cplatform_guard_screen(int fd, const unsigned char *leave, long size);
void cplatform_release_terminal(void);
/* Whether changing a terminal's settings changes them for nobody else: we have it, or would be stopped until we do. */
int cplatform_may_change(int terminal);
int cplatform_guard_file(const char *path);
/* The same for what lies in a directory, whatever has its name by then; the name goes if it is that of an empty one. */
int cplatform_guard_directory(int fd, const char *path);
/* A signal that comes while it is held ends us afterwards. */
void cplatform_hold_signals(int on);
void cplatform_release_path(int place);
/* A child whose process group is killed when a signal ends us. */
void cplatform_guard_child(int child);
void cplatform_release_child(int child);
/* From now on Ctrl-Z, and the terminal of another job, do not stop this process. */
void cplatform_ignore_suspend(void);
void cplatform_ignore_background(void);
void cplatform_pause_interrupts(int paused);
int cplatform_signals_to_pipe(void);
void cplatform_signals_to_end(void);
void cplatform_freeze_main(void);

/* The main dispatch queue for who has a loop of his own, as libdispatch offers it to run loops: a descriptor that is readable when
   there is something to do, and doing it. */
int cplatform_main_queue(void);
void cplatform_run_main_queue(void);

/* Confinement.c: Landlock and seccomp; -1 where the kernel has none. */
int cplatform_files_begin(void);
int cplatform_files_allow(int rules, const char *path, int writing);
int cplatform_files_enforce(int rules);
/* Whether a directory cannot be opened (0), no program be started (1), no socket be made (2), nothing be typed into a
   terminal (3), no file be taken from another process (4). */
int cplatform_is_refused(int what, const char *path);
int cplatform_restrict_calls(int no_programs, int no_network);

/* Where a needle stands in bytes, -1 when it does not: memmem. */
long cplatform_find(const void *bytes, long size, const void *needle, long length);

/* 1 when the directory lives in memory (tmpfs, ramfs), 0 when not, -1 when it can't be told. */
int cplatform_in_memory(const char *path);

/* 16 bytes that differ after every start of the machine; 0 when they could be had. */
int cplatform_boot_id(unsigned char *id);

/* Renames, never over something that is there (EEXIST); 0 when done. */
int cplatform_rename_new(const char *one, const char *other);
/* The same in steps, for a file system whose rename cannot refuse to replace. */
int cplatform_rename_stepwise(const char *one, const char *other);

/* Exchanges two names at once; 0 when done. */
int cplatform_exchange(const char *one, const char *other);
/* Removes what has this name, a directory with all that is in it, as well as it can. No link is followed. */
void cplatform_remove_tree(const char *path);
void cplatform_remove_directory(int fd, const char *path);
/* All that was written to the file system of fd is on the disk then. */
int cplatform_sync_all(int fd);

/* Nanoseconds since boot, with or without the time the machine was suspended; -1 on failure. */
long long cplatform_boot_time(int counting_suspend);

/* The size of a terminal's window; 0 when fd is none. */
int cplatform_window(int fd, unsigned short *rows, unsigned short *columns);

/* open, openat and fcntl without variable arguments. */
int cplatform_open(const char *path, int flags, int mode);
int cplatform_open_at(int dir, const char *path, int flags, int mode);
int cplatform_set_nonblocking(int fd);
int cplatform_set_blocking(int fd);
int cplatform_set_cloexec(int fd);
/* Where the next bytes from `offset` on are that are no hole; -1 with ENXIO where none follow. */
int64_t cplatform_next_data(int fd, int64_t offset);
/* Whether writes go past the page cache (O_DIRECT); -1 where the file system cannot. */
int cplatform_set_direct(int fd, int on);

/* A child gets descriptors 0 to 2 and no other. Ours are all close-on-exec; this also closes
   what a parent of ours may have left open. */
/* Has the child begin in another directory. */
int cplatform_change_directory(posix_spawn_file_actions_t *actions, const char *path);

int cplatform_close_from(posix_spawn_file_actions_t *actions, int first);

/* The exit code a shell would show for a wait status. */
int cplatform_exit_status(int status);

/* Where this program's file is, into path; 0 on success. */
int cplatform_executable(char *path, unsigned int size);
