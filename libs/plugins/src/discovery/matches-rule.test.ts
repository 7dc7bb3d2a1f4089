import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvalidInputError, ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import { type ListDirectory, matchesRule } from './matches-rule.ts'

const files = [
  'Chart.yaml',
  '.hidden',
  'sub/values.yaml',
  'sub/deep/a.yml',
  'q?',
  'a-[x]/{z}',
  'link/values.yaml',
]

/** The files above, of which `link` is a link to a directory; it remembers what was listed. */
function listing(): { list: ListDirectory; listed: string[] } {
  const listed: string[] = []
  const list: ListDirectory = async (path) => {
    listed.push(path)
    const names = new Map<string, boolean>()
    for (const file of files) {
      if (path !== '' && !file.startsWith(`${path}/`)) continue
      const [name = '', ...below] = file.slice(path === '' ? 0 : path.length + 1).split('/')
      names.set(name, below.length > 0 && name !== 'link')
    }
    return names.size === 0 ? undefined : Array.from(names, ([name, isDirectory]) => ({ name, isDirectory }))
  }
  return { list, listed }
}

async function matching(by: 'fileName' | 'glob', patterns: readonly string[]): Promise<string[]> {
  const { list } = listing()
  const answers = await Promise.all(patterns.map((pattern) => matchesRule({ by, pattern }, list)))
  return patterns.filter((_, index) => answers[index])
}

test("a file name is matched as Go's filepath.Glob does", async () => {
  const matches = [
    'Chart.yaml',
    './Chart.yaml',
    'sub//deep/../values.yaml',
    'sub/',
    '.',
    '*.yaml',
    '.h*',
    '*idden',
    'sub',
    's[a-u]b',
    's[^a-t]b',
    'sub/*.yaml',
    'link/*.yaml',
    'l*/values.yaml',
    '*/*/a.yml',
    String.raw`q\?`,
    String.raw`a-\[x]/*`,
    String.raw`a[\-]\[[x-z]\]/?z}`,
  ]
  const others = [
    'values.yaml',
    '**/a.yml',
    '*.{yaml,yml}',
    'chart.yaml',
    'sub/none/x',
    'Chart.yaml/x',
    '[^C]hart.yaml',
    'a-[x]/*',
    '*.yaml/*',
  ]
  assert.deepEqual(await matching('fileName', [...matches, ...others]), matches)
})

test('a glob is matched as go-zglob does', async () => {
  const matches = [
    '**/a.yml',
    '**/Chart.yaml',
    '**/*/a.yml',
    's**/a.yml',
    '{Chart,Kustom}.yaml',
    '{sub/deep,sub}/*.yml',
    '**/{a,b}.yml',
    '**/[^x].yml',
    '.h*',
    'sub/**',
    'q?',
    'link',
    'sub',
    'link/*.yaml',
    String.raw`**/\{z\}`,
    '**',
  ]
  const others = [
    '**/*/Chart.yaml',
    'q?x',
    'Chart?yaml',
    'none',
    '**/none',
    'l*/values.yaml',
    'Chart.ya?l',
    '{a,b}',
  ]
  assert.deepEqual(await matching('glob', [...matches, ...others]), matches)
})

test('only directories in which something may match are listed', async () => {
  const cases = [
    ['fileName', 'None.yaml', ['']],
    ['fileName', 'sub/none', ['sub']],
    ['fileName', 'sub/d*/none', ['sub', 'sub/deep']],
    ['fileName', '*.none', ['']],
    ['glob', 'sub/*/none', ['sub', 'sub/deep']],
    ['glob', '**/none', ['', 'sub', 'sub/deep', 'a-[x]']],
    ['glob', 'none/**/x', ['none']],
  ] as const
  for (const [by, pattern, expected] of cases) {
    const { list, listed } = listing()
    assert.deepEqual([await matchesRule({ by, pattern }, list), pattern], [false, pattern])
    assert.deepEqual(listed, expected)
  }
})

test("a pattern that leaves the application's directory is refused", async () => {
  for (const by of ['fileName', 'glob'] as const) {
    for (const pattern of ['..', '../x', 'a/../../x', '/etc/passwd', '*/../../x']) {
      await assert.rejects(matching(by, [pattern]), InvalidInputError)
    }
  }
})

test('a pattern that is none is refused', async () => {
  for (const pattern of ['[a', '[]a]', 'a[-z]', '[a-]', '*\\', '[^']) {
    await assert.rejects(
      matching('fileName', [pattern]),
      /^InvalidInputError: error finding filename match for pattern ".*": syntax error in pattern$/,
    )
  }
  await assert.rejects(matching('glob', ['*{a']), InvalidInputError)
  await assert.rejects(matching('glob', ['*[a']), InvalidInputError)
  await assert.rejects(matching('glob', [`*${'a'.repeat(4096)}`]), InvalidInputError)
})

test('a pattern of many alternatives is matched', async () => {
  assert.deepEqual(await matching('glob', ['{a,b}'.repeat(100), '{sub,x}/{deep,y}/{a,b}.{yml,yaml}']), [
    '{sub,x}/{deep,y}/{a,b}.{yml,yaml}',
  ])
})

test('a pattern that a backtracking search would never finish takes no time', async () => {
  const name = 'a'.repeat(250)
  const list: ListDirectory = async (path) => (path === '' ? [{ name, isDirectory: false }] : undefined)
  for (const by of ['fileName', 'glob'] as const) {
    assert.equal(await matchesRule({ by, pattern: `${'*a'.repeat(100)}b` }, list), false)
  }
})

test('a search through too many files ends', async () => {
  const list: ListDirectory = async () =>
    Array.from({ length: 1000 }, (_, index) => ({ name: String(index), isDirectory: true }))
  await assert.rejects(matchesRule({ by: 'glob', pattern: '**/none' }, list), ResourceExhaustedError)
})
