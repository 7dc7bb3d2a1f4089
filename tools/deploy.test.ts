import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { parse } from 'yaml'
import { z } from 'zod'
import { variablesOf } from './service-variables-fixture.ts'

const repository = path.dirname(import.meta.dirname)
const dockerfile = await readFile(path.join(repository, 'deploy/Dockerfile'), 'utf8')
const system = await readFile(path.join(repository, 'deploy/image-system.sh'), 'utf8')
const services = await readdir(path.join(repository, 'services'))

const composeFile = z.object({
  services: z.record(
    z.string(),
    z.object({
      image: z.string(),
      command: z.array(z.string()),
      environment: z.record(z.string(), z.string()).optional(),
      volumes: z.array(z.string()),
      networks: z.array(z.string()).optional(),
      network_mode: z.string().optional(),
      profiles: z.array(z.string()).optional(),
      ports: z.array(z.string()).optional(),
    }),
  ),
  volumes: z.record(z.string(), z.unknown()),
  networks: z.record(z.string(), z.unknown()),
})
const text = await readFile(path.join(repository, 'deploy/compose.yaml'), 'utf8')
const compose = composeFile.parse(parse(text, { merge: true }))

test('compose starts each service once and publishes the gateway alone', () => {
  const { redis, commands, ...own } = compose.services
  assert.deepEqual(Object.keys(own).toSorted(), services.toSorted())
  for (const [name, { command, image }] of Object.entries(own)) {
    assert.deepEqual([name, ...command], [name, name])
    assert.equal(image, '${WADI_IMAGE:-wadi}')
  }
  assert.deepEqual(
    Object.entries(compose.services).flatMap(([name, { ports }]) => (ports ? [[name, ...ports]] : [])),
    [['api-gateway', '${WADI_PORT:-8080}:8080']],
  )
  assert.deepEqual(commands?.command, ['cmp-server'])
  assert.match(redis?.command.join(' ') ?? '', /--appendonly yes --maxmemory-policy noeviction/)
})

test('what runs actions has no network and nothing of the other services but its own socket', () => {
  const { commands } = compose.services
  assert.equal(commands?.network_mode, 'none')
  assert.deepEqual(commands?.profiles, ['actions'])
  assert.deepEqual(commands?.volumes, ['commands:/commands'])
})

test('every volume and network that a service of compose uses is declared', () => {
  const used = Object.values(compose.services)
  assert.deepEqual(
    new Set(used.flatMap(({ volumes }) => volumes.map((volume) => volume.split(':')[0]))),
    new Set(Object.keys(compose.volumes)),
  )
  assert.deepEqual(
    new Set(used.flatMap(({ networks }) => networks ?? ['default'])),
    new Set(Object.keys(compose.networks)),
  )
})

for (const service of services) {
  test(`${service} knows every variable that image and compose set for it`, () => {
    const known = variablesOf(service)
    const set = [
      ...(dockerfile.match(/\bWADI_[A-Z_]+(?==)/g) ?? []),
      ...Object.keys(compose.services[service]?.environment ?? {}),
    ]
    assert.deepEqual(
      set.filter((variable) => !known.has(variable)),
      [],
    )
  })
}

test('every file that the image and compose name is in the repository', () => {
  const named = [...dockerfile.matchAll(/(?:\/wadi\/| sh )((?:deploy|services|libs)\/[\w./-]+)/g)].map(
    ([, file = '']) => file,
  )
  const [, fromCompose = ''] = /dockerfile: (\S+)/.exec(text) ?? []
  const files = [...named, fromCompose]
  assert.deepEqual(files, [
    'deploy/prune-packages.sh',
    'deploy/image-system.sh',
    'deploy/entrypoint.sh',
    'deploy/Dockerfile',
  ])
  assert.deepEqual(
    files.filter((file) => !existsSync(path.join(repository, file))),
    [],
  )
})

test('the image is built from a base that a digest pins, and runs without root on nothing but what was copied', () => {
  const base = /^ARG NODE_IMAGE=(\S+)$/m.exec(dockerfile)?.[1]
  assert.match(base ?? '', /^node:[\d.]+-bookworm-slim@sha256:[0-9a-f]{64}$/)
  assert.deepEqual(
    [...dockerfile.matchAll(/^(?:FROM|USER) .*$/gm)].map(([line]) => line),
    ['FROM ${NODE_IMAGE} AS console', 'FROM ${NODE_IMAGE} AS build', 'FROM scratch', 'USER 10001:10001'],
  )
})

test('the stage that builds the console has all that it imports', async () => {
  const [, stage = ''] = /^FROM .* AS console\n(.*?)^FROM /ms.exec(dockerfile) ?? []
  const copied = [...stage.matchAll(/^COPY (?:.* )?(\S+) \S+$/gm)].map(([, from = '']) => from)
  const { dependencies } = JSON.parse(
    await readFile(path.join(repository, 'clients/web/package.json'), 'utf8'),
  )
  const wanted = Object.keys(dependencies).flatMap((name) => name.match(/^@wadi\/(.*)/)?.[1] ?? [])
  assert.ok(wanted.length > 0)
  const missing = wanted.filter((name) => !copied.some((from) => `libs/${name}/`.startsWith(`${from}/`)))
  assert.deepEqual(missing, [])
})

test('what is sent to the engine is listed, so that nothing else of a checkout gets into the image', async () => {
  const ignored = (await readFile(path.join(repository, '.dockerignore'), 'utf8')).split('\n')
  const [first, ...others] = ignored.filter((line) => line !== '' && !line.startsWith('#'))
  assert.equal(first, '*')
  const sent = others.filter((line) => line.startsWith('!')).map((line) => line.slice(1))
  assert.deepEqual(
    sent.filter((file) => !existsSync(path.join(repository, file))),
    [],
  )
  for (const unwanted of ['**/node_modules', '**/*.test.ts', 'libs/testing'])
    assert.ok(others.includes(unwanted))
})

test('process 1 of the image reaps what programs leave', () => {
  assert.match(dockerfile, /apt-get install .* tini\b/)
  assert.match(system, /^programs='.* tini .*'$/m)
  assert.match(dockerfile, /^ENTRYPOINT \["tini", "-s", "--", "\/wadi\/deploy\/entrypoint\.sh"\]$/m)
})

test('the entry point refuses what is not a service', () => {
  for (const argument of ['', '../bench', 'nothing', '--help']) {
    const entry = spawnSync(
      path.join(repository, 'deploy/entrypoint.sh'),
      argument === '' ? [] : [argument],
      {
        encoding: 'utf8',
      },
    )
    assert.equal(entry.status, 64, argument)
    assert.match(entry.stderr, /name a service/)
  }
})
