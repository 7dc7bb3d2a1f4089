import assert from 'node:assert/strict'
import { test } from 'node:test'
import { configMap } from '../application-fixture.ts'
import { hydrateEach } from '../attacks/hydrate-each-fixture.ts'
import { startMeshFixture } from '../mesh-fixture.ts'

const chart = (template: string) => ({
  'Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
  'templates/a.yaml': template,
})
const object = (value: string) =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {a: ${value}}\n`
const endless =
  '{{ range until 9999 }}{{ range until 9999 }}{{ range until 9999 }}{{ end }}{{ end }}{{ end }}'

interface Fault {
  readonly files: Record<string, string>
  readonly message: RegExp
}

const broken: Record<string, Fault> = {
  syntax: { files: chart(object('{{ .Values.a')), message: /syntax\/templates\/a\.yaml:\d+/ },
  missing: { files: chart(object('{{ required "give a port" .Values.port }}')), message: /give a port/ },
  memory: {
    files: chart(object('{{ range until 2000000000 }}{{ end }}')),
    message: /helm was killed because it used more than 192 MiB of memory/,
  },
}

test('broken applications fail each with its own reason, at once and for good, and the others are hydrated', async () => {
  await hydrateBeside(broken, { WADI_RENDER_MEMORY: '192MiB' })
})

test('an application that never ends fails when its time is over, and the others are hydrated', async () => {
  const message = /helm took longer than 3 s and was stopped/
  await hydrateBeside({ endless: { files: chart(object(endless)), message } }, { WADI_RENDER_TIMEOUT: '3s' })
})

/** Hydrates applications with faults and twenty without. */
async function hydrateBeside(
  faults: Record<string, Fault>,
  environment: Record<string, string>,
): Promise<void> {
  await using mesh = await startMeshFixture({ environment })
  const { fixture } = mesh
  const files = Object.entries(faults).flatMap(([directory, fault]) =>
    Object.entries(fault.files).map(([path, text]) => [`${directory}/${path}`, text]),
  )
  const good = Array.from({ length: 20 }, (_, index) => `good-${index}`)
  const repository = await fixture.createRepository('broken', {
    ...Object.fromEntries(files),
    ...Object.fromEntries(good.map((directory) => [`${directory}/a.yaml`, configMap(directory, '1')])),
  })
  const outcomes = await hydrateEach(fixture, repository, [...Object.keys(faults), ...good])
  for (const [directory, { message }] of Object.entries(faults)) {
    assert.equal(outcomes.get(directory)?.phase, 'Failed', directory)
    assert.match(outcomes.get(directory)?.message ?? '', message, directory)
  }
  for (const directory of good) assert.equal(outcomes.get(directory)?.phase, 'Hydrated', directory)
}
