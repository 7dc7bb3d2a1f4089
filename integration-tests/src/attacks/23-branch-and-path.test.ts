import assert from 'node:assert/strict'
import { test } from 'node:test'
import { join } from 'node:path'
import type { Resource } from '@wadi/resources/resource.ts'
import { openSqliteStore } from '@wadi/resources/store/sqlite-store.ts'
import { applicationObject, configMap } from '../application-fixture.ts'
import { namesGenerator, rejectionOf, setObject } from '../application-sets/set-fixture.ts'
import { meshOfFile } from '../mesh-fixture.ts'

const mesh = await meshOfFile()
const repository = await mesh.fixture.createRepository('deploy', { 'app/a.yaml': configMap('a', '1') })

const branches = [
  '--upload-pack=id',
  '-f',
  'refs/notes/x',
  'HEAD',
  'a..b',
  'a\0b',
  'a\nb',
  '@{-1}',
  'main',
  'a\u202eb',
]
const paths = [
  '.git/hooks/x',
  '.GIT/config',
  'a/../../b',
  '.gitattributes',
  '.gitmodules',
  'README.md',
  'hydrator.metadata',
  'a.',
  'a:b',
  'CON',
  '\u200b.git',
  'x/'.repeat(2048),
]
const hostile = [
  ...branches.map((branch): [what: string, wanted: { branch: string; syncPath?: string }] => [
    `the branch ${JSON.stringify(branch)}`,
    { branch },
  ]),
  ...paths.map((syncPath): [what: string, wanted: { branch: string; syncPath?: string }] => [
    `the path ${JSON.stringify(syncPath.slice(0, 30))}`,
    { branch: 'env/x', syncPath },
  ]),
]

for (const [what, wanted] of hostile) {
  test(`${what} is refused on every way to write an Application`, async () => {
    const application = applicationObject({ name: 'app', repoURL: repository.url, ...wanted })
    const template = { metadata: { name: '{{name}}' }, spec: application['spec'] ?? null }
    const applicationSet = setObject({ generators: [namesGenerator('app')], spec: { template } })
    const { gateway } = mesh.fixture
    for (const write of [
      gateway.applications.createApplication({ application }),
      gateway.applications.applyApplications({ applications: [application] }),
      gateway.resources.applyResource({ resource: application }),
      gateway.applicationSets.applyApplicationSet({ applicationSet }),
    ]) {
      assert.match((await rejectionOf(write)) ?? 'stored', /^InvalidArgument: .*spec\.sourceHydrator\./s)
    }
  })
}

test('one that was stored past the gateway is not hydrated, and says why', async () => {
  await using store = openSqliteStore({ file: join(mesh.fixture.directory, 'data', 'state.db') })
  for (const [name, wanted, reason] of [
    [
      'by-path',
      { branch: 'env/past', syncPath: '.gitattributes' },
      /syncSource\.path: .* a file that Wadi or git uses/,
    ],
    ['by-field', { branch: 'env/past-2', source: { nonsense: true } }, /unknown field .*drySource\.nonsense/],
  ] as const) {
    const object = applicationObject({ name, path: 'app', repoURL: repository.url, ...wanted })
    await store.create(object as unknown as Resource)
    assert.match(await mesh.fixture.waitForFailure(name), reason)
  }
  assert.deepEqual(await repository.hydratedBranches(), [])
})

for (const [what, one, other] of [
  ['case', 'Shop/Web', 'shop/web-2'],
  ['the form of accents', 'caf\u00e9', 'cafe\u0301'],
] as const) {
  test(`two paths that differ in ${what} alone are not written beside each other`, async () => {
    const branch = `env/${what.replaceAll(' ', '-')}`
    const name = what.replaceAll(' ', '-')
    const apps = [one, other].map((syncPath, index) =>
      applicationObject({ name: `${name}-${index}`, path: 'app', syncPath, repoURL: repository.url, branch }),
    )
    await mesh.fixture.gateway.applications.applyApplications({ applications: apps })
    for (const index of [0, 1]) {
      assert.match(
        await mesh.fixture.waitForFailure(`${name}-${index}`),
        /file systems ignore case or the form of accents/,
      )
    }
    assert.equal(await repository.head(branch), '')
  })
}
