import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { startMeshFixture } from '../mesh-fixture.ts'
import { hydrateEach } from './hydrate-each-fixture.ts'

const canary = 'canary-outside-of-the-repository'
const up = '../'.repeat(12)

const chart = {
  'Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
  'values.yaml': '{}\n',
  'templates/a.yaml':
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {values: {{ toJson .Values | quote }}}\n',
}

/** Spellings of a value file that is not in the repository. */
function spellings(outside: string, listener: string): string[] {
  return [
    outside,
    `file://${outside}`,
    `FILE://${outside}`,
    `file:${outside}`,
    `file://localhost${outside}`,
    `${up}${outside.slice(1)}`,
    `./${up}${outside.slice(1)}`,
    `/${up}${outside.slice(1)}`,
    `templates/../${up}${outside.slice(1)}`,
    `values.yaml/../${up}${outside.slice(1)}`,
    '../../outside.yaml',
    `${up}proc/self/environ`,
    '/proc/self/environ',
    '/dev/stdin',
    '-',
    '',
    '.',
    '..',
    '../',
    '~/.ssh/id_rsa',
    '$HOME/outside.yaml',
    // Known, so that a substitution must not lead out.
    `$ARGOCD_APP_SOURCE_PATH/${up}etc/passwd`,
    '..%2f..%2f..%2fetc%2fpasswd',
    '%2e%2e/%2e%2e/%2e%2e/etc/passwd',
    String.raw`..\..\..\etc\passwd`,
    '....//....//....//etc/passwd',
    '..;/..;/etc/passwd',
    '\u2025/\u2025/etc/passwd',
    `values.yaml,${outside}`,
    `"${outside}"`,
    `values.yaml\n${outside}`,
    'values.yaml\0.txt',
    `${up}etc/pass*`,
    `**/${up}etc/passwd`,
    `{values.yaml,${up}etc/passwd}`,
    `${listener}/values.yaml`,
    `${listener.replace('http:', '')}/values.yaml`,
    `git::${listener}/x.git//values.yaml`,
    's3://bucket/values.yaml',
    'oci://127.0.0.1/values',
    `secrets://${outside}`,
  ]
}

test('no spelling of a value file or file parameter leads out of the repository', async () => {
  await using mesh = await startMeshFixture()
  const { fixture } = mesh
  const outside = join(fixture.directory, 'outside.yaml')
  await writeFile(outside, `stolen: ${canary}\n`)
  let requests = 0
  await using listener = createServer((_, response) => {
    requests++
    response.end(`stolen: ${canary}\n`)
  })
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  const all = spellings(outside, `http://127.0.0.1:${(listener.address() as AddressInfo).port}`)
  const options = [
    ...all.map((path) => ({ valueFiles: [path] })),
    ...all.slice(0, 12).map((path) => ({ fileParameters: [{ name: 'stolen', path }] })),
  ]
  const directories = options.map((_, index) => `s${index}`)
  const files = directories.flatMap((directory, index) => [
    ...Object.entries(chart).map(([path, text]) => [`${directory}/${path}`, text]),
    [`${directory}/.argocd-source.yaml`, JSON.stringify({ helm: options[index] })],
  ])
  const repository = await fixture.createRepository('spellings', Object.fromEntries(files))
  const outcomes = await hydrateEach(fixture, repository, directories)
  for (const [index, directory] of directories.entries()) {
    const what = JSON.stringify(options[index])
    const outcome = outcomes.get(directory)
    assert.equal(outcome?.phase, 'Failed', `${what}: ${outcome?.manifest}`)
    assert.equal(outcome.manifest, '', what)
    assert.match(outcome.message, /value ?file|file ?parameter/i, what)
    assert.ok(!outcome.message.includes(canary), what)
  }
  assert.equal(requests, 0)
})
