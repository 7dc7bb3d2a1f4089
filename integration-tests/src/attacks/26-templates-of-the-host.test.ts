import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { configMap } from '../application-fixture.ts'
import { startMeshFixture } from '../mesh-fixture.ts'
import { hydrateEach } from './hydrate-each-fixture.ts'

const canary = 'canary-of-the-host'

/** A chart whose only object shows what an expression of its template gives. */
function chartShowing(expression: string): Record<string, string> {
  return {
    'Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
    'templates/a.yaml': `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {shown: {{ ${expression} | toString | quote }}}\n`,
  }
}

/** A kustomization whose generator wants to be a program. */
function generator(annotation: string): Record<string, string> {
  return {
    'kustomization.yaml': 'generators: [generator.yaml]\n',
    'generator.yaml': `apiVersion: example.com/v1\nkind: Runner\nmetadata:\n  name: r\n  annotations:\n    config.kubernetes.io/function: |\n      ${annotation}\n`,
    'run.sh': '#!/bin/sh\necho "$WADI_CANARY"; cat /etc/passwd\n',
  }
}

test('templates and kustomizations see nothing of the host: absent functions, constant answers, no programs', async () => {
  process.env['WADI_CANARY'] = canary
  await using mesh = await startMeshFixture()
  const { fixture } = mesh
  const outside = join(fixture.directory, 'outside.txt')
  await writeFile(outside, canary)
  const attacks: Record<string, { files: Record<string, string>; shows?: string; message?: RegExp }> = {
    env: { files: chartShowing('env "WADI_CANARY"'), message: /function "env" not defined/ },
    expandenv: {
      files: chartShowing('expandenv "$WADI_CANARY"'),
      message: /function "expandenv" not defined/,
    },
    'env-in-values': {
      files: { ...chartShowing('tpl .Values.t .'), 'values.yaml': `t: '{{ env "WADI_CANARY" }}'\n` },
      message: /function "env" not defined/,
    },
    'host-by-name': { files: chartShowing('getHostByName "localhost"'), shows: '' },
    lookup: { files: chartShowing('lookup "v1" "Secret" "kube-system" ""'), shows: 'map[]' },
    'files-up': { files: chartShowing(`.Files.Get "${'../'.repeat(12)}${outside.slice(1)}"`), shows: '' },
    'files-absolute': { files: chartShowing(`.Files.Get "${outside}"`), shows: '' },
    'files-glob': { files: chartShowing('len (.Files.Glob "../**")'), shows: '0' },
    exec: { files: generator('exec: {path: ./run.sh}'), message: /kustomize/ },
    container: { files: generator('container: {image: example.com/x, network: true}'), message: /kustomize/ },
    plugin: {
      files: {
        'kustomization.yaml': 'generators: [generator.yaml]\n',
        'generator.yaml': 'apiVersion: example.com/v1\nkind: Runner\nmetadata: {name: r}\n',
      },
      message: /kustomize/,
    },
    'helm-charts': {
      files: {
        'kustomization.yaml': 'helmCharts: [{name: web, repo: "http://127.0.0.1:1", version: 1.0.0}]\n',
      },
      message: /helm-charts\/kustomization\.yaml:1: helmCharts needs the build option --enable-helm/,
    },
    remote: {
      files: { 'kustomization.yaml': 'resources: ["https://127.0.0.1:1/x//y?ref=main"]\n' },
      message: /fetched from elsewhere/,
    },
    jsonnet: {
      files: { 'a.jsonnet': "std.extVar('WADI_CANARY')" },
      message: /WADI_CANARY|external variable/,
    },
    package: {
      files: {
        'zarf.yaml':
          'kind: ZarfPackageConfig\nmetadata: {name: p}\ncomponents: [{name: c, required: true, manifests: [{name: m, template: true, files: [m.yaml]}]}]\n',
        'm.yaml': configMap('a', '{{ env `WADI_CANARY` }}'),
      },
      message: /function "env" reads the environment of the machine/,
    },
  }
  const directories = Object.keys(attacks)
  const files = directories.flatMap((directory) =>
    Object.entries(attacks[directory]?.files ?? {}).map(([path, text]) => [`${directory}/${path}`, text]),
  )
  const repository = await fixture.createRepository('host', Object.fromEntries(files))
  const outcomes = await hydrateEach(fixture, repository, directories)
  for (const [directory, { shows, message }] of Object.entries(attacks)) {
    const outcome = outcomes.get(directory)
    assert.ok(!JSON.stringify(outcome).includes(canary), directory)
    if (message === undefined) {
      const [, shown] = /^ {2}shown: "?(.*?)"?$/m.exec(outcome?.manifest ?? '') ?? []
      assert.equal(shown, shows, `${directory}: ${outcome?.message}`)
    } else {
      assert.deepEqual([outcome?.phase, outcome?.manifest], ['Failed', ''], directory)
      assert.match(outcome?.message ?? '', message, directory)
    }
  }
  delete process.env['WADI_CANARY']
})

test('templates of operators have no function that reads the host either', async () => {
  await using mesh = await startMeshFixture()
  const { fixture } = mesh
  const repository = await fixture.createRepository('operators', { 'web/a.yaml': configMap('a', '1') })
  for (const key of ['readmeMessageTemplate', 'commitMessageTemplate']) {
    await fixture.applyOperatorSettings({ [`sourceHydrator.${key}`]: 'x {{ env "HOME" }}' })
    const name = key.toLowerCase()
    const application = { name, path: 'web', repoURL: repository.url, branch: `operators/${name}` }
    assert.match(
      await fixture.applyAndFail(application),
      /function "env" not defined: it reads the environment of the machine/,
    )
    assert.equal(await repository.head(`operators/${name}`), '')
  }
})
