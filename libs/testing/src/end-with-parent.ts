// A program of a test loads this first, by `--import`, with a pipe of the test as its standard input: it ends with the test's
// process, however that ended.
process.stdin
  .once('close', () => process.kill(process.pid, 'SIGKILL'))
  .resume()
  .unref()
