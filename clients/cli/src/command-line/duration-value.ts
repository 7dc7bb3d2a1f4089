import { InvalidArgumentError, Option } from 'commander'

const secondsByUnit = new Map([
  ['s', 1],
  ['m', 60],
  ['h', 3_600],
  ['d', 86_400],
])

/** The flag for how long a token is valid; without it, it never expires. */
export function expiresInOption(): Option {
  return new Option(
    '-e, --expires-in <duration>',
    'how long the token is valid, for example 24h or 7d; 0s for no expiry',
  )
    .argParser(durationSeconds)
    .default(0n, 'no expiry')
}

/** Reads the value of a flag as a duration in seconds: `24h`, `7d`, `1h30m`; `0` and `0s` mean no expiry. */
function durationSeconds(text: string): bigint {
  if (!/^(?:0|(?:\d{1,9}[smhd])+)$/.test(text)) {
    throw new InvalidArgumentError('Give a duration like 24h, 7d or 1h30m; 0s for no expiry.')
  }
  const parts = [...text.matchAll(/(\d+)([smhd])/g)]
  const seconds = parts.reduce(
    (sum, [, amount, unit = '']) => sum + Number(amount) * (secondsByUnit.get(unit) ?? 0),
    0,
  )
  return BigInt(seconds)
}
