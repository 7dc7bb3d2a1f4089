import type { SeededRandom } from '@wadi/testing/seeded-random.ts'

const tokens = [
  '"',
  "'",
  ':',
  ': ',
  '- ',
  '-',
  '? ',
  '?',
  '[',
  ']',
  '{',
  '}',
  ',',
  '#',
  ' #',
  '|',
  '>',
  '|-\n',
  '>+2\n',
  '&a ',
  '*a',
  '*a ',
  '!',
  '!!str ',
  '!!int ',
  '!!float ',
  '!!binary ',
  '!x ',
  '<<: ',
  '<<',
  '---\n',
  '\n---\n',
  '...\n',
  '--- ',
  '----',
  '%',
  '@',
  '`',
  '\t',
  ' ',
  '  ',
  '\n',
  '\n\n',
  '\r\n',
  '\r',
  '\u0085',
  '\u2028',
  '\u2029',
  '\ufeff',
  '\u0007',
  '\u007f',
  'é',
  '😀',
  '\\',
  '\\x4',
  '\\u12',
  "\\'",
  '\\/',
  '\\ ',
  '\\\n',
  'null',
  '~',
  'yes',
  '0o7',
  '010',
  '1e3',
  '.5',
  '.inf',
  '.nan',
  '2001-01-01',
]

const maxLength = 20_000

/** Changes a text of YAML in one to three places where readers differ: indentation, quotes, signs of the syntax, ends of lines. */
export function mutateYaml(text: string, other: string, random: SeededRandom): string {
  let mutated = text
  for (let left = random.integer(1, 3); left > 0; left--) mutated = mutateOnce(mutated, other, random)
  return mutated.slice(0, maxLength).toWellFormed()
}

function mutateOnce(text: string, other: string, random: SeededRandom): string {
  switch (random.below(12)) {
    case 0:
    case 1:
      return withLine(text, random, (line) => ' '.repeat(random.below(6)) + line.trimStart())
    case 2:
      return withLine(text, random, (line) => line.replace(/^ */, (spaces) => spaces.slice(1)))
    case 3:
      return withLine(text, random, () => undefined)
    case 4:
      return withLine(text, random, (line) => `${line}\n${line}`)
    case 5:
      return withLine(text, random, (line) => joined(line, random))
    case 6:
      return replaceOne(text, random, /["']/g, () => random.pick(['"', "'", '']))
    case 7:
      return replaceOne(text, random, /[[\]{},:?-]/g, () => random.pick(tokens))
    case 8:
      return replaceOne(text, random, /\n/g, () =>
        random.pick(['\r\n', '\r', ' ', '\n\n', '\n\t', ' \n', '\u2028', '']),
      )
    case 9:
      return replaceOne(text, random, /\S+/g, () => random.pick(tokens))
    case 10: {
      const start = random.below(other.length + 1)
      return inserted(text, random, other.slice(start, start + random.integer(1, 60)))
    }
    default:
      return inserted(text, random, random.pick(tokens))
  }
}

function inserted(text: string, random: SeededRandom, part: string): string {
  const at = random.below(text.length + 1)
  return text.slice(0, at) + part + text.slice(at)
}

/** Puts what follows a colon or comma on a line of its own. */
function joined(line: string, random: SeededRandom): string {
  return line.replace(/([:,[{]) ?(?=\S)/, (sign) => `${sign.trimEnd()}\n${' '.repeat(random.below(5))}`)
}

function withLine(text: string, random: SeededRandom, change: (line: string) => string | undefined): string {
  const lines = text.split('\n')
  const at = random.below(lines.length)
  return lines.flatMap((line, index) => (index === at ? (change(line) ?? []) : [line])).join('\n')
}

function replaceOne(text: string, random: SeededRandom, pattern: RegExp, replacement: () => string): string {
  const found = [...text.matchAll(pattern)]
  if (found.length === 0) return text
  const { index, 0: word } = random.pick(found)
  return text.slice(0, index) + replacement() + text.slice(index + word.length)
}
