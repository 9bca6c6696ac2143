/* What must be put right when a signal ends the process. A handler may call only what is
   async-signal-safe, so everything it needs is here, made ready before. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "CPlatform.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

enum { places = 16, longest_path = 4096, children = 16 };

static volatile sig_atomic_t terminal = -1, screen = -1, pipe_end = -1, interrupts_paused = 0;
static struct termios terminal_before;
static unsigned char leave_bytes[256];
static volatile sig_atomic_t leave_size = 0;
static struct {
  volatile sig_atomic_t used; /* 0 free, 1 file, 2 directory that is open */
  int fd;
  char path[longest_path];
} guarded[places];
static volatile sig_atomic_t groups[children];
/* How often they are held: by several threads, and one within the other. */
static atomic_int held = 0;
static volatile sig_atomic_t waiting = 0;
/* The terminal when we were started. */
static struct termios terminal_at_start;
static volatile sig_atomic_t had_echo = 0;

int cplatform_may_change(int number) {
  struct sigaction action;
  if (tcgetpgrp(number) == getpgrp()) return 1;
  return sigaction(SIGTTOU, NULL, &action) == 0 && action.sa_handler != SIG_IGN;
}

static int open_terminal(void) { return open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC); }

/* Another of our processes may be asking for a secret. Once we have ended, the shell has the terminal, and that process may
   no longer restore it. Only what cplatform_silence made is undone: a pager beside us has settings of its own. */
static void end_silence(void) {
  struct termios now;
  int number = open_terminal();
  if (number < 0) return;
  if (cplatform_may_change(number) && tcgetattr(number, &now) == 0
      && (now.c_lflag & (ECHO | ECHONL | ICANON)) == (ECHONL | ICANON)) {
    tcsetattr(number, TCSAFLUSH, &terminal_at_start);
    (void)!write(number, "\n", 1);
  }
  close(number);
}

void cplatform_silence(struct termios *settings) {
  settings->c_lflag &= ~(tcflag_t)ECHO;
  settings->c_lflag |= ICANON | ISIG | ECHONL;
  settings->c_cc[VSUSP] = _POSIX_VDISABLE;
}

void cplatform_put_right(void) {
  if (terminal >= 0 && cplatform_may_change(terminal)) {
    tcsetattr(terminal, TCSAFLUSH, &terminal_before);
    if (screen < 0) (void)!write(terminal, "\n", 1);
  }
  if (terminal < 0 && had_echo) end_silence();
  if (screen >= 0) (void)!write(screen, leave_bytes, (size_t)leave_size);
  /* Before the directories that they write to. */
  for (int i = 0; i < children; i++)
    if (groups[i] > 0) { kill(-groups[i], SIGKILL); kill(groups[i], SIGKILL); }
  for (int i = 0; i < places; i++) {
    if (guarded[i].used == 1) unlink(guarded[i].path);
    if (guarded[i].used == 2) cplatform_remove_directory(guarded[i].fd, guarded[i].path);
  }
}

static void handle(int number) {
  int before = errno;
  if (interrupts_paused && (number == SIGINT || number == SIGQUIT)) return;
  if (pipe_end >= 0) {
    unsigned char byte = (unsigned char)number;
    (void)!write(pipe_end, &byte, 1);
    errno = before;
    return;
  }
  if (held) {
    waiting = number;
    errno = before;
    return;
  }
  cplatform_put_right();
  _exit(128 + number);
}

void cplatform_hold_signals(int on) {
  if (on) {
    atomic_fetch_add(&held, 1);
    return;
  }
  if (atomic_fetch_sub(&held, 1) > 1) return;
  int number = waiting;
  if (number == 0) return;
  waiting = 0;
  handle(number);
}

void cplatform_signals_install(void) {
  const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
  struct sigaction action;
  int number = open_terminal();
  if (number >= 0) {
    had_echo = tcgetattr(number, &terminal_at_start) == 0 && (terminal_at_start.c_lflag & ECHO);
    close(number);
  }
  memset(&action, 0, sizeof action);
  action.sa_handler = SIG_IGN;
  sigaction(SIGPIPE, &action, NULL);
  /* A limit on the size of files is an error of the call, as a full disk is. */
  sigaction(SIGXFSZ, &action, NULL);
  action.sa_handler = handle;
  action.sa_flags = SA_RESTART;
  sigset_t ours;
  sigemptyset(&ours);
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    struct sigaction before;
    sigaddset(&ours, numbers[i]);
    /* What was ignored when we were started (nohup) stays ignored. */
    if (sigaction(numbers[i], NULL, &before) == 0 && before.sa_handler == SIG_IGN) continue;
    sigaction(numbers[i], &action, NULL);
  }
  /* A thread that starts programs may block them, and gives that on. */
  pthread_sigmask(SIG_UNBLOCK, &ours, NULL);
}

void cplatform_guard_terminal(int fd, const struct termios *before) {
  terminal_before = *before;
  terminal = fd;
}
void cplatform_guard_screen(int fd, const unsigned char *leave, long size) {
  if (size > (long)sizeof leave_bytes) return;
  memcpy(leave_bytes, leave, (size_t)size);
  leave_size = (sig_atomic_t)size;
  screen = fd;
}
void cplatform_release_terminal(void) { screen = -1; terminal = -1; }

static int guard(const char *path, int use, int fd) {
  if (strlen(path) >= longest_path) return -1;
  for (int i = 0; i < places; i++)
    if (!guarded[i].used) {
      strcpy(guarded[i].path, path);
      guarded[i].fd = fd;
      guarded[i].used = use;
      return i;
    }
  return -1;
}
int cplatform_guard_file(const char *path) { return guard(path, 1, -1); }
int cplatform_guard_directory(int fd, const char *path) { return guard(path, 2, fd); }
void cplatform_release_path(int place) {
  if (place >= 0 && place < places) guarded[place].used = 0;
}

void cplatform_guard_child(int child) {
  for (int i = 0; i < children; i++)
    if (groups[i] == 0) { groups[i] = child; return; }
}
void cplatform_release_child(int child) {
  for (int i = 0; i < children; i++)
    if (groups[i] == child) groups[i] = 0;
}

void cplatform_ignore_suspend(void) { signal(SIGTSTP, SIG_IGN); }
void cplatform_ignore_background(void) {
  signal(SIGTTIN, SIG_IGN);
  signal(SIGTTOU, SIG_IGN);
}

void cplatform_pause_interrupts(int paused) { interrupts_paused = paused; }

int cplatform_signals_to_pipe(void) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) return -1;
  pipe_end = ends[1];
  return ends[0];
}
void cplatform_signals_to_end(void) {
  int end = pipe_end;
  pipe_end = -1;
  if (end >= 0) close(end);
}

/* Stops the main thread in a handler that never returns. */
static atomic_int is_frozen;
static void freeze(int number) {
  (void)number;
  atomic_store(&is_frozen, 1);
  for (;;) pause();
}
void cplatform_freeze_main(void) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = freeze;
  sigfillset(&action.sa_mask);
  if (sigaction(SIGUSR2, &action, NULL) != 0) return;
  if (cplatform_signal_main(SIGUSR2) != 0) return;
  /* A thread that the kernel holds runs the handler before anything else of ours: no need to wait for ever. */
  for (int i = 0; i < 50 && !atomic_load(&is_frozen); i++) usleep(1000);
}
