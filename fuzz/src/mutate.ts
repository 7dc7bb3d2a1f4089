import type { SeededRandom } from '@wadi/testing/seeded-random.ts'

const maxInputBytes = 256 * 1024

/** Texts that readers of many formats fail on. */
const tokens = [
  '',
  '\0',
  '\n',
  '\r\n',
  '\t',
  '\u2028',
  '\ufeff',
  '\u00e9',
  'e\u0301',
  '\u{1f600}',
  '---\n',
  '...\n',
  '&a ',
  '*a',
  '<<: *a\n',
  '!!binary ',
  '!!python/object:x ',
  '? ',
  ': ',
  '- ',
  '[',
  ']',
  '{',
  '}',
  '"',
  "'",
  '#',
  ',',
  '|\n',
  '>-\n',
  'null',
  '~',
  'true',
  '-1',
  '0',
  '0x7fffffff',
  '1e999',
  '.nan',
  '9007199254740993',
  '99999999999999999999999999999',
  '__proto__',
  'constructor',
  'toString',
  '../../etc/passwd',
  '/',
  '//',
  '.',
  '..',
  'C:\\x',
  'file:///etc/passwd',
  'http://127.0.0.1:1/x',
  '-oProxyCommand=x',
  '{{ . }}',
  '{{ range $x }}',
  '$(x)$',
  '${{',
  '%s%n',
  '*',
  '**',
  '(a+)+$',
  '[a-',
  '\\',
  'x'.repeat(5_000),
  '['.repeat(2_000),
  '{"a":'.repeat(500),
] as const

const invalidUtf8 = Buffer.from([0xff, 0xc0, 0x80, 0xed, 0xa0, 0x80])

/** Changes an input in one to four places; the same choices give the same bytes. */
export function mutate(input: Buffer, others: readonly Buffer[], random: SeededRandom): Buffer {
  let mutated = input
  for (let left = random.integer(1, 4); left > 0; left--) mutated = mutateOnce(mutated, others, random)
  return mutated.subarray(0, maxInputBytes)
}

function mutateOnce(input: Buffer, others: readonly Buffer[], random: SeededRandom): Buffer {
  const [start, end] = range(input, random)
  const before = input.subarray(0, start)
  const chosen = input.subarray(start, end)
  const after = input.subarray(end)
  switch (random.below(8)) {
    case 0:
      return Buffer.concat([before, flipped(chosen, random), after])
    case 1:
      return Buffer.concat([before, after])
    case 2:
      return Buffer.concat([before, chosen, chosen, after])
    case 3:
      return Buffer.concat([before, token(random), chosen, after])
    case 4:
      return replaceWord(input, random)
    case 5:
      return moveLine(input, random)
    case 6: {
      const other = random.pick(others)
      const [from, to] = range(other, random)
      return Buffer.concat([before, other.subarray(from, to), after])
    }
    default: {
      const often = random.chance(0.1) ? 1_000 : random.integer(2, 20)
      return Buffer.concat([before, ...Array.from({ length: often }, () => chosen.subarray(0, 64)), after])
    }
  }
}

/** A part of the input, mostly a short one. */
function range(input: Buffer, random: SeededRandom): [number, number] {
  const start = random.integer(0, input.length)
  const longest = random.chance(0.8) ? 16 : input.length
  return [start, Math.min(input.length, start + random.integer(0, longest))]
}

function flipped(bytes: Buffer, random: SeededRandom): Buffer {
  const copy = Buffer.from(bytes)
  if (copy.length > 0) copy[random.below(copy.length)] = random.below(256)
  return copy
}

function token(random: SeededRandom): Buffer {
  return random.chance(0.05) ? invalidUtf8 : Buffer.from(tokens[random.below(tokens.length)] ?? '')
}

/** Puts something else in the place of a word, so that the rest stays well-formed. */
function replaceWord(input: Buffer, random: SeededRandom): Buffer {
  const text = input.toString('latin1')
  const words = [...text.matchAll(/[\w./:@-]+/g)]
  if (words.length === 0) return Buffer.concat([input, token(random)])
  const word = random.pick(words)
  const replacement = random.chance(0.3) ? Buffer.from(random.pick(words)[0], 'latin1') : token(random)
  return Buffer.concat([
    input.subarray(0, word.index),
    replacement,
    input.subarray(word.index + word[0].length),
  ])
}

function moveLine(input: Buffer, random: SeededRandom): Buffer {
  const lines = input.toString('latin1').split('\n')
  const [line = ''] = lines.splice(random.below(lines.length), 1)
  const indented = random.chance(0.5) ? line : `${' '.repeat(random.below(5))}${line.trimStart()}`
  lines.splice(random.integer(0, lines.length), random.below(2), indented)
  return Buffer.from(lines.join('\n'), 'latin1')
}
