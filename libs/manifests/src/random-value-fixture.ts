import type { SeededRandom } from '@wadi/testing/seeded-random.ts'
import type { JsonValue } from './manifest.ts'

const textPieces = [
  ...`a b xyz y n no on true null ~ 0 1 9 12 0x 0b 0o . - + _ : e E # " ' [ ] { } , ? ! & * | > % @ << = --- ...`.split(
    ' ',
  ),
  ...'T Z 2001-1-2 12:30 inf .inf é 漢 😀 ٣ ` \\ \0 \x7f \u0085 \u00a0 \u2028 \u2029 \ufeff \r \t \n \n'.split(
    ' ',
  ),
  ' ',
  '  ',
  'long '.repeat(30),
]

const numbers = [0, 1, -1, 3600, 1.5, -2.5e-7, 1e21, 123456.5, 1234567.5, 2 ** 53 - 1]
const longIntegers = [2n ** 53n + 1n, 2n ** 63n - 1n, -(2n ** 63n)]

/** Returns text made of pieces that trouble readers and writers of YAML. */
function randomText(random: SeededRandom): string {
  let text = ''
  for (let pieces = random.below(5); pieces > 0; pieces--) text += random.pick(textPieces)
  return text
}

/** Returns a value of any JSON type, nested no deeper than `depth`. */
export function randomValue(random: SeededRandom, depth: number): JsonValue {
  switch (random.below(depth > 0 ? 8 : 5)) {
    case 0:
      return random.below(4) === 0 ? random.pick(longIntegers) : random.pick(numbers)
    case 1:
      return random.below(2) === 0
    case 2:
      return null
    case 3:
    case 4:
      return randomText(random)
    case 5:
      return Array.from({ length: random.below(4) }, () => randomValue(random, depth - 1))
    default: {
      const entries = Array.from({ length: random.below(6) }, (): [string, JsonValue] => [
        randomText(random),
        randomValue(random, depth - 1),
      ])
      return Object.fromEntries(entries)
    }
  }
}
