import { Option } from 'commander'
import { count } from './command-line-values.ts'

/** Seconds: longer than a usual hydration, and short enough for a pipeline that waits in vain. */
const defaultSeconds = 600

/** Returns the option `--timeout` of a command that waits. */
export function timeoutOption(): Option {
  return new Option('--timeout <seconds>', 'maximum time to wait for each; 0 for no limit')
    .argParser(count)
    .default(defaultSeconds)
}
