import type { SeededRandom } from '@wadi/testing/seeded-random.ts'

const words =
  "a b key name x-y a.b/c 1 0 -1 +2 010 0o17 0x1F 0b11 -0b1 1_000 1e3 1.5 .5 -.5 1. 1e400 9007199254740993 18446744073709551615 18446744073709551616 -0 0.0 -0.0 1e20 1e21 0.1 123456789.5 1.0 yes no on off y n true False null ~ .inf -.INF .nan <<  = 2001-01-01 2001-1-1t1:2:3Z 1:20 12e03 ._1 0_7 é 日本 😀 a:b a#b http://x/?y=1&z -a ?a :a a? it's v1 !x @x `x %x *".split(
    ' ',
  )
const quoted = [
  'one two',
  '',
  ' lead',
  'trail ',
  'a\\tb',
  '\\x41\\u00e9\\U0001F600',
  'it\\"s',
  "\\'",
  '\\/',
  '\\N\\_\\L\\P',
  '\\ud83d',
  'a\\\n  b',
  'one\n  two\n\n three',
  'one\ntwo',
  '\t x',
  '\\0\\a\\e',
  '\\\t',
]
const keys = [
  'a',
  'b',
  'c',
  'x y',
  '"q"',
  "'s'",
  '1',
  '1.5',
  'yes',
  '0x10',
  '1e6',
  '? k\n',
  '&k k',
  '!!str 1',
  '<<',
]
const tags = [
  '!!str',
  '!!int',
  '!!float',
  '!!bool',
  '!!null',
  '!!binary',
  '!!timestamp',
  '!',
  '!foo',
  '!!map',
  '!<tag:yaml.org,2002:int>',
  '!e!x',
]
const headers = ['|', '>', '|-', '>-', '|+', '>+', '|2', '>1-', '|+1', '| # c', '>  ']

/** Writes a text of YAML in styles of chance, most of it valid. */
export function generateYaml(random: SeededRandom): string {
  const documents = Array.from({ length: random.chance(0.9) ? 1 : random.integer(2, 3) }, () =>
    block(random, 0, random.integer(1, 4)),
  )
  const lead = random.chance(0.1)
    ? random.pick(['---\n', '# c\n', '\n', '--- # c\n', '\ufeff', '%YAML 1.1\n---\n'])
    : ''
  return lead + documents.join(random.pick(['---\n', '---\n', '...\n---\n', '--- \n', '...\n']))
}

function block(random: SeededRandom, indent: number, depth: number): string {
  const lines = Array.from({ length: random.integer(1, 4) }, (_, index) => {
    const space = ' '.repeat(indent)
    const value = blockValue(random, indent, depth)
    return {
      key: `${space}${random.chance(0.15) ? random.pick(keys) : `k${index}`}:${value}`,
      item: `${space}-${value}`,
    }
  })
  const isList = random.chance(0.3)
  return lines.map(({ key, item }) => (isList ? item : key)).join('')
}

function blockValue(random: SeededRandom, indent: number, depth: number): string {
  const properties = random.chance(0.1) ? ` ${property(random)}` : ''
  const inner = indent + random.integer(1, 3)
  switch (depth > 0 ? random.below(7) : random.integer(4, 6)) {
    case 0:
    case 1:
    case 2:
      return `${properties}${gap(random)}\n${block(random, random.chance(0.1) ? indent : inner, depth - 1)}`
    case 3:
      return `${properties} ${flow(random, depth)}${gap(random)}\n`
    case 4:
      return `${properties} ${blockScalar(random, inner)}`
    default:
      return `${properties} ${scalar(random)}${gap(random)}\n`
  }
}

function gap(random: SeededRandom): string {
  return random.chance(0.9) ? '' : random.pick([' ', ' # c', '\t', ' \t# c', '#c', '\n', '\n\n', '\n# c'])
}

function property(random: SeededRandom): string {
  return random.pick([
    `&a${random.below(3)}`,
    random.pick(tags),
    `&a ${random.pick(tags)}`,
    `${random.pick(tags)} &a1`,
  ])
}

function scalar(random: SeededRandom): string {
  switch (random.below(6)) {
    case 0:
      return `"${random.pick(quoted)}"`
    case 1:
      return `'${random.pick(quoted).replaceAll("'", "''")}'`
    case 2:
      return `*a${random.below(3)}`
    default:
      return Array.from({ length: random.integer(1, 2) }, () => random.pick(words)).join(
        random.pick([' ', ' ', '\n   ', '  ', '\t']),
      )
  }
}

function blockScalar(random: SeededRandom, indent: number): string {
  const lines = Array.from({ length: random.integer(0, 4) }, () =>
    random.chance(0.2)
      ? ' '.repeat(random.below(5))
      : `${' '.repeat(indent + (random.chance(0.2) ? random.below(3) : 0))}${random.pick(words)} ${random.pick(words)}`,
  )
  return [random.pick(headers), ...lines, ''].join('\n')
}

function flow(random: SeededRandom, depth: number): string {
  const parts = Array.from({ length: random.below(4) }, () => flowPart(random, depth))
  const isList = random.chance(0.5)
  const space = () => (random.chance(0.8) ? '' : random.pick([' ', '\n', '\n  ', '\t', ' # c\n', '\n\n']))
  const content = parts
    .map(({ key, value }) => `${space()}${isList && random.chance(0.9) ? value : `${key}${value}`}`)
    .join(`${space()},`)
  const end = random.chance(0.1) ? ',' : ''
  return isList ? `[${content}${end}${space()}]` : `{${content}${end}${space()}}`
}

function flowPart(random: SeededRandom, depth: number): { key: string; value: string } {
  const key = random.chance(0.9)
    ? `${random.pick(keys).trim()}${random.pick([': ', ': ', ':', ' : ', ''])}`
    : ''
  const value = depth > 0 && random.chance(0.3) ? flow(random, depth - 1) : scalar(random)
  return { key, value: random.chance(0.05) ? `${property(random)} ${value}` : value }
}
