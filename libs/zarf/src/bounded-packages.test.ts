import assert from 'node:assert/strict'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { test } from 'node:test'
import { DomainError } from '@wadi/errors/domain-error.ts'
import { packageText, planOf, renderOf, templatePackage } from './package-fixture.ts'

/** Milliseconds for which nobody else is answered: far above what a busy machine takes, far below what a missing bound does. */
const maxBlockLength = 20_000

/** A template that keeps functions busy inside, where the engine does not look at the clock. */
const bomb = '{{ $text := repeat 60000 "a: " }}{{ range 1000 }}{{ $x := fromYaml $text }}{{ end }}'

const base = templatePackage('x: {{ .Values.a }}\n', 'a: 1\n')
const zarfYaml = base['p/zarf.yaml'] ?? ''
const deep = 100_000

function components(count: number, component: (index: number) => string): string {
  const all = Array.from({ length: count }, (_, index) => component(index))
  return `kind: ZarfPackageConfig\nmetadata: {name: p}\ncomponents:\n${all.join('')}`
}

function chartWith(mapping: string): Record<string, string> {
  const chart = `{name: x, version: 1.0.0, namespace: n, localPath: chart, values: [${mapping}]}`
  return {
    ...base,
    'p/zarf.yaml': packageText(`    charts: [${chart}]\n`, 'values: {files: [v.yaml]}\n'),
    'p/chart/Chart.yaml': 'name: x\nversion: 1.0.0\n',
  }
}

const manyValues = Array.from({ length: 4 }, (_, index) => `v${index}.yaml`)

const refused: [string, () => Record<string, string>, RegExp][] = [
  [
    'lists nested a hundred thousand deep',
    () => ({ ...base, 'p/v.yaml': `a: ${'['.repeat(deep)}` }),
    /^p\/v\.yaml:1:\d+: nested deeper than the limit of 200/,
  ],
  [
    'maps nested a hundred thousand deep',
    () => ({ ...base, 'p/v.yaml': `a: ${'{a: '.repeat(deep)}` }),
    /^p\/v\.yaml:1:\d+: nested deeper than the limit of 200/,
  ],
  [
    'a package definition nested a hundred thousand deep',
    () => ({ ...base, 'p/zarf.yaml': `${zarfYaml}x-a: ${'['.repeat(deep)}` }),
    /^p\/zarf\.yaml:\d+:\d+: nested deeper than the limit of 200/,
  ],
  [
    'aliases that lead through one another a thousand times',
    () => ({
      ...base,
      'p/v.yaml': `l0: &l0 x\n${Array.from({ length: 1000 }, (_, i) => `l${i + 1}: &l${i + 1} [*l${i}]`).join('\n')}`,
    }),
    /^p\/v\.yaml:\d+:\d+: nested deeper than the limit of 200/,
  ],
  [
    'values files that are small each and large together',
    () => ({
      ...base,
      'p/zarf.yaml': zarfYaml.replace('[v.yaml]', `[${manyValues.join(', ')}]`),
      ...Object.fromEntries(
        manyValues.map((name) => [`p/${name}`, `a: 1\n# ${'x'.repeat(3 * 1024 * 1024)}\n`]),
      ),
    }),
    /^p\/zarf\.yaml:3:\d+: the values files of the package have more than 8388608 bytes/,
  ],
  [
    'a schema nested a hundred thousand deep',
    () => ({
      ...base,
      'p/zarf.yaml': zarfYaml.replace('[v.yaml]', '[v.yaml], schema: s.json'),
      'p/s.json': `${'{"a":'.repeat(deep)}1${'}'.repeat(deep)}`,
    }),
    /p\/s\.json: the schema is nested more than 200 levels deep: flatten it/,
  ],
  [
    'a setting with a hundred thousand keys',
    () => ({
      ...base,
      'p/zarf-config.yaml': `package: {deploy: {set_values: {? "${'a.'.repeat(deep)}a" : 1}}}`,
    }),
    /p\/zarf-config\.yaml:1:\d+: the path ".{200}…" has 100001 keys, 200 are allowed/,
  ],
  [
    'a mapping from a hundred thousand keys',
    () => chartWith(`{sourcePath: "${'.a'.repeat(deep)}", targetPath: .x}`),
    /has 100000 keys, 200 are allowed/,
  ],
  [
    'a mapping to a hundred thousand keys',
    () => chartWith(`{sourcePath: .a, targetPath: "${'.a'.repeat(deep)}"}`),
    /has 100000 keys, 200 are allowed/,
  ],
  [
    'markers that stand for gigabytes',
    () => ({
      ...base,
      'p/zarf.yaml': `${zarfYaml}variables: [{name: V, default: big.txt, type: file}]\n`,
      'p/big.txt': 'x'.repeat(9_000_000),
      'p/m.yaml': '###ZARF_VAR_V###\n'.repeat(10_000),
    }),
    /^p\/m\.yaml:2: the markers stand for more than 16777216 characters/,
  ],
  [
    'markers whose lines are indented by megabytes',
    () => ({
      ...base,
      'p/zarf.yaml': `${zarfYaml}variables: [{name: V, default: big.txt, type: file, autoIndent: true}]\n`,
      'p/big.txt': '\n'.repeat(1_000_000),
      'p/m.yaml': `${' '.repeat(1_000_000)}###ZARF_VAR_V###\n`,
    }),
    /^p\/m\.yaml:1: the markers stand for more than 16777216 characters/,
  ],
  [
    'an import of itself',
    () => ({ 'p/zarf.yaml': packageText('    import: {path: .}\n') }),
    /^p\/zarf\.yaml:6:14: p\/zarf\.yaml is imported in a cycle: p\/zarf\.yaml -> p\/zarf\.yaml$/,
  ],
  [
    'imports that lead in a circle',
    () => ({
      'p/zarf.yaml': packageText('    import: {path: ../q}\n'),
      'q/zarf.yaml': packageText('    import: {path: ../p}\n'),
    }),
    /^q\/zarf\.yaml:6:14: p\/zarf\.yaml is imported in a cycle: p\/zarf\.yaml -> q\/zarf\.yaml -> p\/zarf\.yaml$/,
  ],
  [
    'two thousand imports, each of the next',
    () =>
      Object.fromEntries(
        Array.from({ length: 2000 }, (_, index) => [
          `p${index === 0 ? '' : index}/zarf.yaml`,
          packageText(`    import: {path: ../p${index + 1}}\n`),
        ]),
      ),
    /the package needs more than 1000 imports/,
  ],
  [
    'ten thousand components of one name',
    () => ({ 'p/zarf.yaml': components(10_000, () => '  - {name: c, required: true}\n') }),
    /^package validation failed\np\/zarf\.yaml:\d+:\d+: component name "c" is not unique/,
  ],
  [
    'ten thousand components with a manifest each',
    () => ({
      ...base,
      'p/zarf.yaml': components(
        10_000,
        (index) =>
          `  - {name: c${index}, required: true, manifests: [{name: m, namespace: n, files: [m.yaml]}]}\n`,
      ),
      'p/m.yaml': 'a: b\n',
    }),
    /^the package has more than 5000 texts to render: split it$/,
  ],
]

for (const [what, content, message] of refused) {
  test(`refused while the event loop turns: ${what}`, () => assertRefused(content(), message))
}

async function assertRefused(files: Record<string, string>, message: RegExp): Promise<void> {
  const delay = monitorEventLoopDelay({ resolution: 10 })
  delay.enable()
  await assert.rejects(planOf(files), (error) => {
    assert.ok(error instanceof DomainError, String(error))
    assert.match(error.message, message)
    assert.ok(error.message.length < 20_000, 'the message is short')
    return true
  })
  delay.disable()
  assert.ok(delay.max / 1e6 < maxBlockLength, `blocked for ${delay.max / 1e6} ms`)
}

test('ten thousand components without anything in them are planned', async () => {
  const content = { 'p/zarf.yaml': components(10_000, (index) => `  - {name: c${index}, required: true}\n`) }
  const started = performance.now()
  assert.equal((await planOf(content)).components.length, 10_000)
  assert.ok(performance.now() - started < maxBlockLength)
})

test('a template that takes too much is ended and named, and others are rendered meanwhile and after it', async () => {
  const message =
    /^p\/m\.yaml:1: error applying Go templates to manifest: template: m-0\.yaml:1: (?:takes more than 5 s|needs more than 512 MiB): make it simpler$/
  const slow = assertRefused(templatePackage(`a: 1\nb: ${bomb}\n`), message)
  assert.equal(await renderOf(base), 'x: 1\n')
  await slow
  assert.equal(await renderOf(base), 'x: 1\n')
})

test('a signal ends the templates of a package', async () => {
  await assert.rejects(planOf(templatePackage(bomb), { signal: AbortSignal.timeout(200) }), {
    name: 'TimeoutError',
  })
})
