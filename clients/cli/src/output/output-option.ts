import { Option } from 'commander'

/** The flag `-o`, which chooses one of these formats; the first one is the default. */
export function outputOption(...formats: readonly [string, ...string[]]): Option {
  return new Option('-o, --output <format>', 'output').choices(formats).default(formats[0])
}
