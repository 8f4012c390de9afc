/* Asks the daemon about one call: ask-daemon ROOT DIRECTORY BUILD PART AGENT CWD, the payload on standard input.
 *
 * The same client as ask-daemon.pl, in the same order and with the same ends; the build makes it where there is a C
 * compiler, since Perl takes longer to start than all the rest of a warm call. Ends with 10 (go on) or 12 (block) when
 * there was an answer; an answer is only what is whole, of this build, and to this question (src/daemon/protocol.ts).
 * On any doubt it starts the hook in Node with the same payload and the id under which the daemon may have recorded
 * the call. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum { MOST_ASKED = 262144, MOST_SAID = 16777216, READ_MS = 3000, ASK_MS = 2000, PRINT_S = 5, FEED_S = 30 };
enum { GO_ON = 10, BLOCK = 12 };

/* As CALLER_ENV in src/hook/caller.ts. */
static const char *const NAMES[] = {
    "GOV_HOME", "HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR",
    "USER", "LOGNAME", "SHELL", "TMPDIR", "LANG", "CLAUDE_PROJECT_DIR", "AI_AGENT", "COPILOT_CLI",
    "COPILOT_CLI_BINARY_VERSION", "CURSOR_VERSION", "GOV_DAEMON",
};

/* Bytes that grow; `at` may be read as a string. */
struct text {
  char *at;
  size_t length, room;
};

static const char *root, *directory, *build, *part, *agent, *cwd;
static struct text payload;
static int ended;
static char id[21];
static volatile sig_atomic_t end_code;

static void by_hook(const char *reason) __attribute__((noreturn));

static void grow(struct text *text, size_t more) {
  if (text->room - text->length > more) return;
  size_t room = (text->room + more) * 2 + 1024;
  char *at = realloc(text->at, room);
  /* Not even the hook would start: the launcher refuses. */
  if (at == NULL) _exit(1);
  text->at = at;
  text->room = room;
}

static void add(struct text *text, const char *bytes, size_t length) {
  grow(text, length + 1);
  memcpy(text->at + text->length, bytes, length);
  text->length += length;
  text->at[text->length] = '\0';
}

static void add_string(struct text *text, const char *string) { add(text, string, strlen(string)); }

static long long now_ms(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return now.tv_sec * 1000LL + now.tv_nsec / 1000000;
}

/* Waits until `events` are possible; 0 when `end` is past first. */
static int ready(int fd, short events, long long end) {
  for (;;) {
    long long left = end - now_ms(CLOCK_MONOTONIC);
    if (left <= 0) return 0;
    struct pollfd on = {.fd = fd, .events = events};
    int got = poll(&on, 1, (int)left);
    if (got > 0) return 1; /* also when it is closed: the next read or write says so */
    if (got == 0 || errno != EINTR) return 0;
  }
}

/* Reads until the other side ends or there are more than `most` bytes: 1, or 0 on an error or when `end` is past. */
static int read_all(int fd, struct text *into, size_t most, long long end, int *at_end) {
  while (!*at_end && into->length <= most) {
    if (!ready(fd, POLLIN, end)) return 0;
    grow(into, 65536);
    ssize_t got = read(fd, into->at + into->length, 65536);
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (got < 0) return 0;
    if (got == 0) *at_end = 1;
    into->length += (size_t)got;
    into->at[into->length] = '\0';
  }
  return 1;
}

static int send_all(int fd, const char *bytes, size_t length) {
  while (length > 0) {
    ssize_t sent = write(fd, bytes, length);
    if (sent < 0 && errno == EAGAIN) {
      /* The agent made its end of the pipe one that does not wait, and this end with it. */
      struct pollfd on = {.fd = fd, .events = POLLOUT};
      poll(&on, 1, -1);
      continue;
    }
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0) return 0;
    bytes += sent;
    length -= (size_t)sent;
  }
  return 1;
}

static void end_now(int signal) {
  (void)signal;
  _exit(end_code);
}

/* SECURITY: what others could have put there, or what belongs to another user, is no daemon of ours. */
static int is_ours(const char *path, mode_t kind) {
  struct stat at;
  return lstat(path, &at) == 0 && (at.st_mode & S_IFMT) == kind && at.st_uid == geteuid() && (at.st_mode & 077) == 0;
}

/* As makeId in src/base/ids.ts: nine letters of milliseconds, eleven of chance. */
static int make_id(void) {
  static const char LETTERS[] = "0123456789abcdefghjkmnpqrstvwxyz";
  unsigned char chance[11];
  int device = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
  if (device < 0) return 0;
  ssize_t got = read(device, chance, sizeof chance);
  close(device);
  if (got != (ssize_t)sizeof chance) return 0;
  long long rest = now_ms(CLOCK_REALTIME);
  for (int i = 8; i >= 0; i--, rest /= 32) id[i] = LETTERS[rest % 32];
  for (int i = 0; i < 11; i++) id[9 + i] = LETTERS[chance[i] & 31];
  return 1;
}

/* Who comes next does not wait for the same. */
static const char *hung(const char *mark) {
  int file = open(mark, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (file >= 0) {
    futimens(file, NULL);
    close(file);
  }
  return "failed";
}

/* A decimal number of up to nine digits that `end` follows; moves `at` behind it, or gives -1. */
static long number(const char **at, char end) {
  long value = 0;
  const char *digit = *at;
  for (; *digit >= '0' && *digit <= '9' && digit - *at < 9; digit++) value = value * 10 + (*digit - '0');
  if (digit == *at || *digit != end) return -1;
  *at = digit + 1;
  return value;
}

/* Prints a whole answer and ends; gives back why it is none. */
static const char *take(const struct text *said) {
  char head[256];
  int length = snprintf(head, sizeof head, "gov-answer 1 %s %s ", build, id);
  if (length < 0 || length >= (int)sizeof head || said->at == NULL) return "failed";
  if (strncmp(said->at, head, (size_t)length) != 0) {
    char format[64], word[16], rest;
    snprintf(format, sizeof format, "gov-refusal 1 %%*63s %s %%15[a-z]%%c", id);
    if (sscanf(said->at, format, word, &rest) != 2 || rest != '\n') return "failed";
    return strcmp(word, "build") == 0 ? "build" : "declined";
  }
  const char *at = said->at + length;
  int code = at[0] - '0';
  if ((code != 0 && code != 2) || at[1] != ' ') return "failed";
  at += 2;
  long out = number(&at, ' ');
  long err = out < 0 ? -1 : number(&at, '\n');
  if (err < 0) return "failed";
  char done[32];
  size_t tail = (size_t)snprintf(done, sizeof done, "\ndone %s\n", id);
  size_t start = (size_t)(at - said->at);
  if (said->length != start + (size_t)out + (size_t)err + tail) return "failed";
  if (memcmp(said->at + said->length - tail, done, tail) != 0) return "failed";

  /* Half an answer, as a reader that does not read to the end has it, agents take for consent. */
  end_code = strcmp(part, "gate") == 0 ? BLOCK : GO_ON;
  signal(SIGALRM, end_now);
  alarm(PRINT_S);
  if (!send_all(1, at, (size_t)out)) _exit(end_code);
  end_code = GO_ON + code;
  send_all(2, at + out, (size_t)err);
  _exit(GO_ON + code);
}

/* Gives back why there is no answer. */
static const char *ask(void) {
  if (!read_all(0, &payload, MOST_ASKED, now_ms(CLOCK_MONOTONIC) + READ_MS, &ended)) return "failed";
  if (!ended) return "large";

  struct sockaddr_un address = {.sun_family = AF_UNIX};
  char mark[sizeof address.sun_path];
  if (snprintf(mark, sizeof mark, "%s/hung", directory) >= (int)sizeof mark) return "failed";
  if (snprintf(address.sun_path, sizeof address.sun_path, "%s/socket", directory) >= (int)sizeof address.sun_path)
    return "failed";
  if (!is_ours(directory, S_IFDIR)) return "absent";
  /* It was silent a moment ago. In the meantime it recovers, or its watchdog ends it. */
  struct stat at;
  if (lstat(mark, &at) == 0 && llabs((long long)time(NULL) - at.st_mtime) <= 5) return "failed";
  if (!is_ours(address.sun_path, S_IFSOCK)) return "absent";

  /* The directory that relative paths of the call mean, and how this process sees the machine. */
  struct stat here, named, base;
  if (stat(".", &here) != 0 || stat(cwd, &named) != 0 || stat("/", &base) != 0) return "failed";
  if (here.st_dev != named.st_dev || here.st_ino != named.st_ino || here.st_nlink == 0) return "failed";
  char mounts[64] = "", view[256];
  ssize_t named_mounts = readlink("/proc/self/ns/mnt", mounts, sizeof mounts - 1);
  mounts[named_mounts < 0 ? 0 : named_mounts] = '\0';
  snprintf(view, sizeof view, "%lld:%lld:%llu:%llu:%s", (long long)geteuid(), (long long)getegid(),
           (unsigned long long)base.st_dev, (unsigned long long)base.st_ino, mounts);
  if (!make_id()) return "failed";

  struct text meta = {0};
  const char *const first[] = {"call", build, id, part, agent, cwd, view};
  for (size_t i = 0; i < sizeof first / sizeof *first; i++) {
    if (i > 0) add(&meta, "", 1);
    add_string(&meta, first[i]);
  }
  for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
    const char *value = getenv(NAMES[i]);
    if (value == NULL) continue;
    add(&meta, "", 1);
    add_string(&meta, NAMES[i]);
    add(&meta, "=", 1);
    add_string(&meta, value);
  }
  char head[64];
  snprintf(head, sizeof head, "gov-ask 1 %zu %zu\n", meta.length, payload.length);
  struct text question = {0};
  add_string(&question, head);
  add(&question, meta.at, meta.length);
  if (payload.length > 0) add(&question, payload.at, payload.length);

  long long end = now_ms(CLOCK_MONOTONIC) + ASK_MS;
  int daemon = socket(AF_UNIX, SOCK_STREAM, 0);
  if (daemon < 0) return "failed";
  if (fcntl(daemon, F_SETFD, FD_CLOEXEC) != 0 || fcntl(daemon, F_SETFL, O_NONBLOCK) != 0) return "failed";
  /* A queue that is full answers at once here, instead of waiting. */
  if (connect(daemon, (struct sockaddr *)&address, sizeof address) != 0) return errno == EAGAIN ? "failed" : "absent";
  for (size_t sent = 0; sent < question.length;) {
    if (!ready(daemon, POLLOUT, end)) return hung(mark);
    ssize_t got = write(daemon, question.at + sent, question.length - sent);
    if (got > 0) sent += (size_t)got;
    else if (errno != EINTR && errno != EAGAIN) return "failed";
  }
  struct text said = {0};
  int whole = 0;
  if (!read_all(daemon, &said, MOST_SAID, end, &whole))
    return now_ms(CLOCK_MONOTONIC) >= end ? hung(mark) : "failed";
  return whole ? take(&said) : "failed";
}

/* The hook in Node takes this process's place; a child hands it the payload, and what of it is still to come. */
static void by_hook(const char *reason) {
  int ends[2];
  if (pipe(ends) != 0) _exit(1);
  pid_t child = fork();
  if (child < 0) _exit(1);
  signal(SIGPIPE, SIG_DFL);
  if (child == 0) {
    close(ends[0]);
    close(1);
    close(2);
    alarm(FEED_S);
    int more = send_all(ends[1], payload.at, payload.length) && !ended;
    char chunk[65536];
    while (more) {
      ssize_t got = read(0, chunk, sizeof chunk);
      if (got < 0 && errno == EINTR) continue;
      more = got > 0 && send_all(ends[1], chunk, (size_t)got);
    }
    _exit(0);
  }
  close(ends[1]);
  if (dup2(ends[0], 0) < 0) _exit(1);
  if (ends[0] != 0) close(ends[0]);
  execl("/bin/sh", "/bin/sh", "-c",
        "root=$1 part=$2 why=$3 request=$4\n"
        "shift 4\n"
        "( . \"$root/hooks/launch.sh\" )\n"
        "case $? in 0) exit 10 ;; 2) exit 12 ;; esac\n"
        "exit 1",
        "gov", root, part, reason, id, agent, (char *)NULL);
  _exit(1);
}

int main(int count, char **words) {
  if (count != 7) return 1;
  root = words[1], directory = words[2], build = words[3], part = words[4], agent = words[5], cwd = words[6];
  signal(SIGPIPE, SIG_IGN);
  signal(SIGALRM, SIG_DFL);
  by_hook(ask());
}
