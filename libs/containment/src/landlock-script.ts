import { wrapperFailure } from './wrapped-command.ts'

/**
 * Restricts itself and becomes the program. It is Perl without modules, which Debian systems always have, as no program of util-linux can do this before
 * version 2.41. Its arguments are numbers of the architecture, whether the network is left, a rule for each place (`r` to read and
 * execute, `w` to write too), `--` and the command. Numbers of the kernel are those of linux/landlock.h, linux/seccomp.h and linux/filter.h.
 */
export const landlockScript = `
sub failed { print STDERR "${wrapperFailure}: $_[0]: $!\\n"; exit 125 }
my ($prctl, $socket, $architecture, $network) = splice @ARGV, 0, 4;
my ($create, $add, $restrict) = (444, 445, 446);

# Version 3 is the first that covers truncation, 4 ports of TCP, 5 devices, 6 signals and abstract sockets.
my $version = syscall $create, 0, 0, 1;
failed('Landlock') if $version < 0;
do { $! = 38; failed("Landlock of version $version is too old") } if $version < 3;
my $files = (1 << ($version < 5 ? 15 : 16)) - 1;
my $handled = pack 'QQQ', $files, ($network || $version < 4 ? 0 : 3), ($version < 6 ? 0 : 3);
my $rules = syscall $create, $handled, ($version < 4 ? 8 : $version < 6 ? 16 : 24), 0;
failed('a set of rules') if $rules < 0;

my ($execute, $write, $read, $list, $truncate) = (1, 2, 4, 8, 1 << 14);
while ((my $rule = shift) ne '--') {
  my ($kind, $place) = $rule =~ /^(.)(.*)$/s;
  # O_PATH
  sysopen my $file, $place, 010000000 or failed($place);
  my $rights = $kind eq 'w' ? $files & ~(1 << 15) : $execute | $read | $list;
  $rights &= $execute | $write | $read | $truncate unless -d $file;
  syscall($add, $rules, 1, pack('Ql', $rights, fileno $file), 0) == 0 or failed($place);
  close $file;
}

syscall($prctl, 38, 1, 0, 0, 0) == 0 or failed('no new privileges');
unless ($network) {
  # Refuses socket(2), io_uring_setup(2), which makes sockets too, and calls of other architectures.
  my @filter = (
    [0x20, 0, 0, 4], [0x15, 0, 4, $architecture], [0x20, 0, 0, 0], [0x35, 2, 0, 0x40000000],
    [0x15, 1, 0, 425], [0x15, 0, 1, $socket], [0x06, 0, 0, 0x50000 | 13], [0x06, 0, 0, 0x7fff0000],
  );
  my $instructions = join '', map { pack 'SCCL', @$_ } @filter;
  my $program = pack 'Sx![P]P', scalar @filter, $instructions;
  syscall($prctl, 22, 2, $program, 0, 0) == 0 or failed('a filter of system calls');
}
syscall($restrict, $rules, 0) == 0 or failed('the rules');
exec { $ARGV[0] } @ARGV or failed($ARGV[0]);
`

/** The numbers of the kernel that differ between architectures: prctl, socket, and the architecture itself. */
export const architectureNumbers: Readonly<Partial<Record<NodeJS.Architecture, readonly number[]>>> = {
  x64: [157, 41, 0xc000003e],
  arm64: [167, 198, 0xc00000b7],
}
