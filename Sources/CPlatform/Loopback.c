/* A port of the loopback address, and whose a connection to it is. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "CPlatform.h"
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

/* Above what a process that is started gets as its first ones. */
static int kept_apart(int fd) {
  int higher = fd < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, 64);
  int kept = errno;
  if (fd >= 0) close(fd);
  errno = kept;
  return higher;
}

static int bound(int family, const void *address, socklen_t size) {
  int fd = socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  int on = 1;
  if (fd < 0) return -1;
  if ((family == AF_INET && setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) != 0)
      || bind(fd, address, size) != 0) {
    int kept = errno;
    close(fd);
    errno = kept;
    return -1;
  }
  return fd;
}

int cplatform_listen_loopback(int held[2]) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t size = sizeof address;
  int off = 0, fd = -1;
  held[1] = -1;
  held[0] = kept_apart(bound(AF_INET, &address, size));
  if (held[0] < 0 || getsockname(held[0], (struct sockaddr *)&address, &size) != 0) goto failed;
  /* Two sockets of one port: as long as none listens, that is allowed to those who both say so. */
  fd = bound(AF_INET, &address, size);
  if (fd < 0 || listen(fd, 256) != 0
      || setsockopt(held[0], SOL_SOCKET, SO_REUSEADDR, &off, sizeof off) != 0
      || setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &off, sizeof off) != 0) goto failed;
  struct sockaddr_in6 six = {
    .sin6_family = AF_INET6, .sin6_addr = IN6ADDR_LOOPBACK_INIT, .sin6_port = address.sin_port};
  held[1] = kept_apart(bound(AF_INET6, &six, sizeof six));
  if (held[1] >= 0 || errno != EADDRINUSE) return fd;
failed:;
  int kept = errno;
  if (fd >= 0) close(fd);
  if (held[0] >= 0) close(held[0]);
  errno = kept;
  return -1;
}

/* The same of a socket of version 4; 0 for another. */
static int address_of(int fd, int other, struct sockaddr_in *address) {
  socklen_t size = sizeof *address;
  int status = other ? getpeername(fd, (struct sockaddr *)address, &size)
                     : getsockname(fd, (struct sockaddr *)address, &size);
  return status == 0 && address->sin_family == AF_INET;
}

int cplatform_port(int fd) {
  struct sockaddr_in address = {0};
  return address_of(fd, 0, &address) ? ntohs(address.sin_port) : -1;
}

int cplatform_peer_port(int fd) {
  struct sockaddr_in address = {0};
  return address_of(fd, 1, &address) && address.sin_addr.s_addr == htonl(INADDR_LOOPBACK)
    ? ntohs(address.sin_port) : -1;
}

int cplatform_ask_kernel(void) {
  int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
  struct timeval patience = {.tv_sec = 1};
  if (fd >= 0) setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  return fd;
}

long cplatform_peer_user(int kernel, int client) {
  struct sockaddr_in ours = {0}, theirs = {0};
  if (!address_of(client, 0, &ours) || !address_of(client, 1, &theirs)) return -1;
  if (theirs.sin_addr.s_addr != htonl(INADDR_LOOPBACK)) return -1;
  static unsigned sequence = 0;
  struct { struct nlmsghdr head; struct inet_diag_req_v2 what; } request = {
    .head = {.nlmsg_len = sizeof request, .nlmsg_type = SOCK_DIAG_BY_FAMILY,
             .nlmsg_flags = NLM_F_REQUEST, .nlmsg_seq = ++sequence},
    .what = {.sdiag_family = AF_INET, .sdiag_protocol = IPPROTO_TCP, .idiag_states = -1,
             .id = {.idiag_sport = theirs.sin_port, .idiag_dport = ours.sin_port,
                    .idiag_src = {theirs.sin_addr.s_addr}, .idiag_dst = {ours.sin_addr.s_addr},
                    .idiag_cookie = {INET_DIAG_NOCOOKIE, INET_DIAG_NOCOOKIE}}}};
  if (send(kernel, &request, sizeof request, 0) != sizeof request) return -2;
  for (int tries = 0; tries < 8; tries++) {
    union { struct nlmsghdr head; char bytes[8192]; } answer;
    struct sockaddr_nl from = {0};
    socklen_t size = sizeof from;
    ssize_t got = recvfrom(kernel, &answer, sizeof answer, 0, (struct sockaddr *)&from, &size);
    if (got < 0 && errno == EINTR) continue;
    if (got < (ssize_t)sizeof answer.head) return -2;
    /* Not the kernel, or the answer to an earlier question. */
    if (from.nl_pid != 0 || answer.head.nlmsg_seq != sequence) continue;
    if (answer.head.nlmsg_type == NLMSG_ERROR) {
      const struct nlmsgerr *error = NLMSG_DATA(&answer.head);
      return got >= (ssize_t)NLMSG_LENGTH(sizeof *error) && error->error == -ENOENT ? -1 : -2;
    }
    if (answer.head.nlmsg_type != SOCK_DIAG_BY_FAMILY
        || got < (ssize_t)NLMSG_LENGTH(sizeof(struct inet_diag_msg))) return -2;
    const struct inet_diag_msg *found = NLMSG_DATA(&answer.head);
    if (found->id.idiag_sport != theirs.sin_port || found->id.idiag_dport != ours.sin_port
        || found->id.idiag_src[found->idiag_family == AF_INET6 ? 3 : 0] != theirs.sin_addr.s_addr
        || found->idiag_state != TCP_ESTABLISHED) return -1;
    return (long)found->idiag_uid;
  }
  return -2;
}
