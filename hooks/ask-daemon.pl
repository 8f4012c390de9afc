# Asks the daemon about one call: perl ask-daemon.pl ROOT DIRECTORY BUILD PART AGENT CWD, the payload on standard input.
# Run by launch.sh. Ends with 10 (go on) or 12 (block) when there was an answer; an answer is only what is whole, of this
# build, and to this question (src/daemon/protocol.ts). On any doubt it starts the hook in Node with the same payload
# and the id under which the daemon may have recorded the call. No modules: loading one takes longer than all the rest.

my ($root, $dir, $build, $part, $agent, $cwd) = @ARGV;
my $most = 262144;
my ($payload, $ended, $id) = ('', 0, '');

# As CALLER_ENV in src/hook/caller.ts.
my @names = qw(GOV_HOME HOME XDG_CONFIG_HOME XDG_STATE_HOME XDG_CACHE_HOME XDG_DATA_HOME XDG_RUNTIME_DIR USER LOGNAME
  SHELL TMPDIR LANG CLAUDE_PROJECT_DIR AI_AGENT COPILOT_CLI COPILOT_CLI_BINARY_VERSION CURSOR_VERSION GOV_DAEMON);

# Whatever takes too long: an agent that keeps its end open, a daemon that hangs.
$SIG{ALRM} = sub { die "late\n" };
$SIG{PIPE} = 'IGNORE';
my $why = eval { ask() } || 'failed';
alarm 0;
# Who comes next does not wait for the same.
if ($@ eq "late\n" && $id ne '' && open(my $mark, '>', "$dir/hung")) { utime undef, undef, $mark }
by_hook($why);

# Gives back why there is no answer.
sub ask {
  alarm 3;
  until ($ended || length($payload) > $most) {
    my $got = sysread(STDIN, $payload, 65536, length $payload);
    return 'failed' unless defined $got;
    $ended = 1 if $got == 0;
  }
  return 'large' unless $ended;

  # SECURITY: what others could have put there, or what belongs to another user, is no daemon of ours.
  my @at = lstat $dir;
  return 'absent' unless @at && ($at[2] & 0170000) == 0040000 && $at[4] == $> && ($at[2] & 077) == 0;
  # It was silent a moment ago. In the meantime it recovers, or its watchdog ends it.
  my @hung = lstat "$dir/hung";
  return 'failed' if @hung && abs(time - $hung[9]) <= 5;
  my $socket = "$dir/socket";
  @at = lstat $socket;
  return 'absent' unless @at && ($at[2] & 0170000) == 0140000 && $at[4] == $> && ($at[2] & 077) == 0;
  # The directory that relative paths of the call mean, and how this process sees the machine.
  my @here = stat '.';
  my @named = stat $cwd;
  return 'failed' unless @here && @named && "$here[0]:$here[1]" eq "$named[0]:$named[1]" && $here[3] > 0;
  my @base = stat '/';
  my $mounts = readlink '/proc/self/ns/mnt';
  my $view = join ':', $> + 0, $) + 0, $base[0], $base[1], defined $mounts ? $mounts : '';
  $id = make_id();
  return 'failed' if $id eq '';

  alarm 2;
  my $address = $^O eq 'linux' ? pack('S a*', 1, "$socket\0") : pack('C C a*', length($socket) + 3, 1, "$socket\0");
  socket(DAEMON, 1, 1, 0) or return 'failed';
  connect(DAEMON, $address) or return 'absent';
  my $meta = join "\0", 'call', $build, $id, $part, $agent, $cwd, $view,
    map { defined $ENV{$_} ? "$_=$ENV{$_}" : () } @names;
  send_all(\*DAEMON, 'gov-ask 1 ' . length($meta) . ' ' . length($payload) . "\n$meta$payload") or return 'failed';
  my $said = '';
  while (1) {
    my $got = sysread(DAEMON, $said, 65536, length $said);
    return 'failed' unless defined $got;
    last if $got == 0;
    return 'failed' if length $said > 16777216;
  }
  return $1 eq 'build' ? 'build' : 'declined' if $said =~ /\Agov-refusal 1 \S+ \Q$id\E (\w+)\n\z/;
  return 'failed' unless $said =~ /\Agov-answer 1 \Q$build\E \Q$id\E ([02]) (\d{1,9}) (\d{1,9})\n/;
  my ($code, $out, $err, $start) = ($1, $2, $3, $+[0]);
  return 'failed' unless substr($said, $start + $out + $err) eq "\ndone $id\n";

  # Half an answer, as a reader that does not read to the end has it, agents take for consent.
  my $half = $part eq 'gate' ? 12 : 10;
  $SIG{ALRM} = sub { exit $half };
  alarm 5;
  send_all(\*STDOUT, substr($said, $start, $out)) or exit $half;
  $SIG{ALRM} = sub { exit(10 + $code) };
  send_all(\*STDERR, substr($said, $start + $out, $err));
  exit(10 + $code);
}

sub send_all {
  my ($to, $text) = @_;
  for (my $at = 0; $at < length $text;) {
    my $sent = syswrite($to, $text, length($text) - $at, $at);
    if (!defined $sent && ($! == 11 || $! == 35)) {
      # EAGAIN: the agent made its end of the pipe one that does not wait, and this end with it.
      vec(my $on = '', fileno $to, 1) = 1;
      select undef, $on, undef, undef;
      next;
    }
    return 0 unless defined $sent;
    $at += $sent;
  }
  return 1;
}

# As makeId in src/base/ids.ts; the milliseconds are chance, for the clock at hand counts seconds.
sub make_id {
  open(my $device, '<', '/dev/urandom') or return '';
  sysread($device, my $bytes, 13) == 13 or return '';
  my @letters = split //, '0123456789abcdefghjkmnpqrstvwxyz';
  my ($parts, @chance) = unpack 'n C11', $bytes;
  my ($rest, $time) = (time() * 1000 + $parts % 1000, '');
  for (1 .. 9) {
    $time = $letters[$rest % 32] . $time;
    $rest = int($rest / 32);
  }
  return $time . join '', map { $letters[$_ & 31] } @chance;
}

# The hook in Node takes this process's place; a child hands it the payload, and what of it is still to come.
sub by_hook {
  my ($reason) = @_;
  pipe(my $out, my $in) or exit 1;
  my $child = fork;
  exit 1 unless defined $child;
  if ($child == 0) {
    close $out;
    close STDOUT;
    close STDERR;
    $SIG{PIPE} = 'DEFAULT';
    $SIG{ALRM} = 'DEFAULT';
    alarm 30;
    my $more = send_all($in, $payload) && !$ended;
    while ($more && (my $got = sysread(STDIN, my $chunk, 65536))) { $more = send_all($in, $chunk) }
    exit 0;
  }
  close $in;
  $SIG{PIPE} = 'DEFAULT';
  open(STDIN, '<&', $out) or exit 1;
  close $out;
  exec '/bin/sh', '-c', 'root=$1 part=$2 why=$3 request=$4
shift 4
( . "$root/hooks/launch.sh" )
case $? in 0) exit 10 ;; 2) exit 12 ;; esac
exit 1', 'gov', $root, $part, $reason, $id, $agent;
  exit 1;
}
