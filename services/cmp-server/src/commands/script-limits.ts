const mebibyte = 1024 ** 2
const largestMemory = 2048 * mebibyte
/** Runtimes reserve far more than they use. */
const largestAddressSpace = 16 * largestMemory
const largestFile = 1024 * mebibyte

/**
 * Words of a shell that bound what each process after them may take: seconds of a processor, 2 GiB of memory, files of
 * 1 GiB, no core dumps. When memory gets scarce, Linux kills these processes first, and not the service; other systems
 * know neither that nor each of the limits.
 * @param cpuSeconds a number, or a variable of the shell with one
 */
export function limitingShell(cpuSeconds: string): string {
  return `ulimit -c 0
ulimit -t ${cpuSeconds}
ulimit -f ${largestFile / 512}
{ ulimit -d ${largestMemory / 1024}; ulimit -v ${largestAddressSpace / 1024}; } 2> /dev/null || :
{ echo 1000 > /proc/self/oom_score_adj; } 2> /dev/null || :`
}
