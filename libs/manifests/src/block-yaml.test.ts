import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DomainError } from '@wadi/errors/domain-error.ts'
import { readBlockYaml } from './block-yaml.ts'
import { composeYaml } from './compose-yaml.ts'
import { emitManifests } from './emit-manifests.ts'
import { isOrdinaryText } from './ordinary-text.ts'
import { plainNodes } from './plain-nodes.ts'
import { seededRandom } from '@wadi/testing/seeded-random.ts'
import { randomValue } from './random-value-fixture.ts'
import type { SeededRandom } from '@wadi/testing/seeded-random.ts'
import { readYamlSource } from './yaml-source.ts'

const maxLevels = 50

/** Returns the full parser's documents, or the message of its error. */
function readFully(text: string): unknown {
  try {
    const source = readYamlSource('probe', text, maxLevels)
    return composeYaml(source, plainNodes(source), { maxDepth: maxLevels, maxNodes: 1e6 })
  } catch (error) {
    if (error instanceof DomainError) return error.message
    throw error
  }
}

const textLines = `
a: 1;b:;c: "x # y";d: 'it''s' # z;e: |;f: |-;g: |+;h: text # c;i: a: b;j: x:;- a;- b: 1;-;- - x;- |;# c;; ;   ;plain;
"k": v;'l' : v;y: 1;on:;...;m: {};n: [];o: [1, 2];p: &x 1;q: *x;r: !!str 1;<<: {a: 1};? s;: t;s: >;t: "u\\n";u: "v;w: -;
x: - 1;z: .inf;A: ~;B:\t1;\tC: 1;D: 1\t;E:  2  ;F:: 3;G: #h;H: a #b;__proto__: 1;I: "\\x41";J: -5;K: --- x;--- # c;---;
--- x;- "q": 1;-  L: 1;M: a\\b;N: %`
  .replaceAll('\n', '')
  .split(';')

function randomLines(random: SeededRandom): string {
  let text = ''
  for (let lines = random.below(7) + 1; lines > 0; lines--) {
    text += `${' '.repeat(random.below(4) * (1 + random.below(2)))}${random.pick(textLines)}\n`
  }
  return random.below(8) === 0 ? text.slice(0, -1) : text
}

function assertAgreement(text: string): boolean {
  const block = isOrdinaryText(text) ? readBlockYaml(text, maxLevels) : undefined
  if (block === undefined) return false
  const full = readFully(text)
  const isNothing = Array.isArray(full) && full.length === 0 && block.value === null
  if (!isNothing) assert.deepEqual([block], full, JSON.stringify(text))
  return true
}

test('whatever the block reader accepts, the full parser reads the same, to the number of nodes', () => {
  const random = seededRandom(7)
  let accepted = 0
  for (let round = 0; round < 30_000; round++) if (assertAgreement(randomLines(random))) accepted++
  assert.ok(accepted > 2000, `only ${accepted} texts were simple`)
})

test('the block reader and the full parser agree on emitted text with a line changed', () => {
  const random = seededRandom(8)
  let accepted = 0
  for (let round = 0; round < 1500; round++) {
    const lines = emitManifests([{ kind: 'Probe', value: randomValue(random, 4) }]).split('\n')
    if (assertAgreement(lines.join('\n'))) accepted++
    const line = random.below(lines.length)
    const indented = ' '.repeat(random.below(5))
    lines.splice(line, random.below(2), `${indented}${random.pick(textLines)}`)
    assertAgreement(lines.join('\n'))
  }
  assert.ok(accepted > 100, `only ${accepted} texts were simple`)
})

test('the block reader takes what tools write and leaves the rest', () => {
  const simple = 'a: 1\nb:\n- c: |\n    x\n\n    y\n  d: "q"\ne:\n  - {}\n'
  assert.deepEqual(readBlockYaml(simple, maxLevels)?.value, { a: 1, b: [{ c: 'x\n\ny\n', d: 'q' }], e: [{}] })
  for (const other of [
    'a: [1]\n',
    'a: *b\n',
    'a: x\n  y\n',
    'a: 1\na: 2\n',
    'a: >\n  x\n',
    'text\n',
    'a: .nan\n',
  ]) {
    assert.equal(readBlockYaml(other, maxLevels), undefined, other)
  }
  assert.equal(readBlockYaml('a:\n  b:\n    c: 1\n', 2), undefined)
})

test('text with characters that YAML treats specially is not ordinary', () => {
  for (const text of ['\r', '\0', '\x7f', '\u0085', '\u2028', '\ufeff', '\ud800']) {
    assert.equal(isOrdinaryText(`a: ${text}`), false)
  }
  assert.equal(isOrdinaryText('a: é 漢 😀\t\n'), true)
})
