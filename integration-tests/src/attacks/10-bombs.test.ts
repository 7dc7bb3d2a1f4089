// Own process: it leaves so much memory behind that later programs start slowly.
import assert from 'node:assert/strict'
import { readFileSync, readdirSync } from 'node:fs'
import { test } from 'node:test'
import { configMap } from '../application-fixture.ts'
import { startMeshFixture } from '../mesh-fixture.ts'
import { hydrateEach } from './hydrate-each-fixture.ts'

const memory = '192MiB'
const killed =
  /helm was killed because it used more than 192 MiB of memory; .*set WADI_RENDER_MEMORY to allow more/

/** A chart with a template. */
function chart(template: string): Record<string, string> {
  return { 'Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n', 'templates/a.yaml': template }
}

/** Each level repeats the one before ten times. */
function aliases(levels: number): string {
  const lines = Array.from({ length: levels }, (_, level) =>
    level === 0
      ? 'a0: &a0 [x]'
      : `a${level}: &a${level} [${Array(10)
          .fill(`*a${level - 1}`)
          .join(', ')}]`,
  )
  return `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n${lines.join('\n')}\n`
}

const kustomization = (text: string) => ({ 'kustomization.yaml': text, 'good.yaml': configMap('good', '1') })
const tooMany = (file: string) =>
  new RegExp(`${file}:\\d+: more nodes than the limit of \\d+, aliases expanded`)
const bombs: Record<string, { files: Record<string, string>; message: RegExp }> = {
  range: { files: chart('{{ range until 2000000000 }}{{ end }}'), message: killed },
  print: {
    files: chart('{{ $x := "x" }}{{ range until 40 }}{{ $x = print $x $x }}{{ end }}{{ len $x }}'),
    message: killed,
  },
  repeat: { files: chart('{{ repeat 2000000000 "x" | len }}'), message: killed },
  directory: { files: { 'a.yaml': aliases(9) }, message: tooMany('directory/a\\.yaml') },
  resource: {
    files: { ...kustomization('resources: [a.yaml]\n'), 'a.yaml': aliases(9) },
    message: tooMany('resource/a\\.yaml'),
  },
  patch: {
    files: { ...kustomization('resources: [good.yaml]\npatches: [{path: p.yaml}]\n'), 'p.yaml': aliases(9) },
    message: tooMany('patch/p\\.yaml'),
  },
  inline: {
    files: kustomization(
      `resources: [good.yaml]\npatches:\n- patch: |-\n${aliases(9).replaceAll(/^/gm, '    ')}\n`,
    ),
    message: tooMany('inline/kustomization\\.yaml'),
  },
  depth: {
    files: { 'a.yaml': `a: ${'['.repeat(100_000)}` },
    message: /depth\/a\.yaml:1: nested deeper than the limit/,
  },
}

test('bombs end at their limits and say which, and nothing of them is left', async () => {
  await using mesh = await startMeshFixture({ environment: { WADI_RENDER_MEMORY: memory } })
  const { fixture } = mesh
  const directories = [...Object.keys(bombs), 'good']
  const files = Object.entries(bombs).flatMap(([directory, bomb]) =>
    Object.entries(bomb.files).map(([path, text]) => [`${directory}/${path}`, text]),
  )
  const repository = await fixture.createRepository('bombs', {
    ...Object.fromEntries(files),
    'good/a.yaml': configMap('good', '1'),
  })
  const outcomes = await hydrateEach(fixture, repository, directories)
  for (const [directory, { message }] of Object.entries(bombs)) {
    const outcome = outcomes.get(directory)
    assert.deepEqual([outcome?.phase, outcome?.manifest], ['Failed', ''], directory)
    assert.match(outcome?.message ?? '', message, directory)
  }
  assert.equal(outcomes.get('good')?.phase, 'Hydrated')
  assert.deepEqual(childrenNamed('helm'), [])
})

/** Processes of this program, by their names. */
function childrenNamed(name: string): string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      const [, command, parent] =
        /^\d+ \((.*)\) \S (\d+)/s.exec(readFileSync(`/proc/${pid}/stat`, 'latin1')) ?? []
      return command === name && Number(parent) === process.pid
    } catch {
      return false
    }
  })
}
