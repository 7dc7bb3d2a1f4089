import { InvalidArgumentError, Option } from 'commander'

const secondsByUnit = new Map([
  ['s', 1],
  ['m', 60],
  ['h', 3_600],
  ['d', 86_400],
])

const maxIntervalSeconds = 7 * 86_400

/** The flag for how long a token is valid; without it, it never expires. */
export function expiresInOption(): Option {
  return new Option(
    '-e, --expires-in <duration>',
    'how long the token is valid, for example 24h or 7d; 0s for no expiry',
  )
    .argParser((text) => BigInt(durationSeconds(text, '; 0s for no expiry')))
    .default(0n, 'no expiry')
}

/** The flag for the time between two comparisons, in seconds. */
export function intervalOption(): Option {
  return new Option('--interval <duration>', 'with --watch: the time between two comparisons')
    .argParser((text) => {
      const seconds = durationSeconds(text, '')
      if (seconds > 0 && seconds <= maxIntervalSeconds) return seconds
      throw new InvalidArgumentError('Give a duration from 1s to 7d.')
    })
    .default(120, '2m')
}

/** Reads the value of a flag as a duration in seconds: `24h`, `7d`, `1h30m`, `0` and `0s`. */
function durationSeconds(text: string, advice: string): number {
  if (!/^(?:0|(?:\d{1,9}[smhd])+)$/.test(text)) {
    throw new InvalidArgumentError(`Give a duration like 24h, 7d or 1h30m${advice}.`)
  }
  const parts = [...text.matchAll(/(\d+)([smhd])/g)]
  return parts.reduce(
    (sum, [, amount, unit = '']) => sum + Number(amount) * (secondsByUnit.get(unit) ?? 0),
    0,
  )
}
