import assert from 'node:assert/strict'
import { rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { isSettled } from '../gateway-fixture.ts'
import { startMeshFixture } from '../mesh-fixture.ts'
import { hydrateEach, pushLinks } from './hydrate-each-fixture.ts'

const canary = 'canary-behind-a-link'

const chart = {
  'Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
  'templates/a.yaml':
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {values: {{ toJson .Values | quote }}}\n',
}

test('a value file that is a link, or behind one, is read inside the repository and nowhere else', async () => {
  await using mesh = await startMeshFixture()
  const { fixture } = mesh
  const outside = join(fixture.directory, 'outside.yaml')
  await writeFile(outside, `stolen: ${canary}\n`)
  const cases: Record<string, { file: string; links: Record<string, string>; message?: RegExp }> = {
    absolute: { file: 'v.yaml', links: { 'v.yaml': outside }, message: /leads to the absolute path/ },
    relative: { file: 'v.yaml', links: { 'v.yaml': `${'../'.repeat(12)}etc/passwd` }, message: /outside/ },
    chained: { file: 'v.yaml', links: { 'v.yaml': 'w.yaml', 'w.yaml': outside }, message: /absolute path/ },
    parent: { file: 'up/etc/passwd', links: { up: '../'.repeat(12) }, message: /outside the repository/ },
    root: { file: 'root/etc/passwd', links: { root: '/' }, message: /leads to the absolute path/ },
    dots: {
      file: 'here/../../../etc/passwd',
      links: { here: 'templates' },
      message: /outside the repository/,
    },
    process: { file: 'v.yaml', links: { 'v.yaml': '/proc/self/environ' }, message: /absolute path/ },
    git: { file: 'v.yaml', links: { 'v.yaml': '../.git/config' }, message: /does not exist/ },
    loop: { file: 'v.yaml', links: { 'v.yaml': 'v.yaml' }, message: /loops/ },
    dangling: { file: 'v.yaml', links: { 'v.yaml': 'nowhere.yaml' }, message: /does not exist/ },
    own: { file: 'values.yaml', links: { 'values.yaml': outside }, message: /absolute path/ },
    template: { file: 'Chart.yaml', links: { 'templates/b.yaml': outside }, message: /absolute path/ },
    inside: { file: 'v.yaml', links: { 'v.yaml': '../shared/values.yaml' } },
  }
  const directories = Object.keys(cases)
  const files = directories.flatMap((directory) => [
    ...Object.entries(chart).map(([path, text]) => [`${directory}/${path}`, text]),
    [`${directory}/.argocd-source.yaml`, JSON.stringify({ helm: { valueFiles: [cases[directory]?.file] } })],
  ])
  const repository = await fixture.createRepository('links', {
    ...Object.fromEntries(files),
    'shared/values.yaml': 'shared: yes it is\n',
  })
  const links = directories.flatMap((directory) =>
    Object.entries(cases[directory]?.links ?? {}).map(([path, target]) => [`${directory}/${path}`, target]),
  )
  await pushLinks(repository, Object.fromEntries(links))
  const outcomes = await hydrateEach(fixture, repository, directories)
  for (const [directory, { message }] of Object.entries(cases)) {
    const outcome = outcomes.get(directory)
    assert.ok(!JSON.stringify(outcome).includes(canary), directory)
    if (message === undefined) assert.match(outcome?.manifest ?? '', /yes it is/)
    else {
      assert.deepEqual([outcome?.phase, outcome?.manifest], ['Failed', ''], directory)
      assert.match(outcome?.message ?? '', message, directory)
    }
  }

  // A commit never changes, so the only moment to swap a file for a link is the next commit, which is checked again.
  const before = await repository.head('attacks/inside')
  await rm(join(repository.dry.directory, 'inside/v.yaml'))
  await symlink(outside, join(repository.dry.directory, 'inside/v.yaml'))
  await repository.dry.git.raw(['commit', '--quiet', '--all', '--message', 'Swap'])
  await repository.dry.git.push([repository.directory, 'HEAD:main'])
  await fixture.hydrate('inside')
  const { currentOperation } = await fixture.waitFor('inside', isSettled)
  assert.equal(currentOperation?.phase, 'Failed')
  assert.equal(await repository.head('attacks/inside'), before)
})
