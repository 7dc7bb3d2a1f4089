import assert from 'node:assert/strict'
import { test } from 'node:test'
import { configMap } from './application-fixture.ts'
import { meshOfFile } from './mesh-fixture.ts'

interface BadInput {
  /** The dry source's directory and the Application's name. */
  name: string
  what: string
  files: Record<string, string>
  /** The texts that the message of the status must have. */
  message: RegExp[]
}

const chart = (name: string, more = ''): string => `apiVersion: v2\nname: ${name}\nversion: 0.1.0\n${more}`
const kustomization = (resource: string): string => `resources:\n- ${resource}\n`

const badInputs: BadInput[] = [
  {
    name: 'broken-chart',
    what: 'a chart that fails',
    files: { 'Chart.yaml': chart('broken'), 'templates/a.yaml': '{{ fail "replicas are missing" }}\n' },
    message: [/replicas are missing/, /templates\/a\.yaml/],
  },
  {
    name: 'missing-base',
    what: 'a kustomization with a missing base',
    files: { 'kustomization.yaml': kustomization('../no-such-base') },
    message: [/no-such-base/, /missing-base\/kustomization\.yaml/],
  },
  {
    name: 'remote-base',
    what: 'a remote base',
    files: { 'kustomization.yaml': kustomization('https://example.com/team/base?ref=main') },
    message: [
      /example\.com\/team\/base/,
      /remote-base\/kustomization\.yaml:2/,
      /copy it into the repository/,
    ],
  },
  {
    name: 'remote-chart',
    what: 'an unpinned remote chart',
    files: {
      'Chart.yaml': chart(
        'remote',
        'dependencies:\n- name: redis\n  version: ">=1"\n  repository: https://charts.example.com\n',
      ),
    },
    message: [/redis/, /remote-chart/],
  },
  {
    name: 'duplicate-keys',
    what: 'YAML with duplicate keys',
    files: {
      'a.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  key: "1"\n  key: "2"\n',
    },
    message: [/duplicate-keys\/a\.yaml:6/, /key/],
  },
  {
    name: 'no-kind',
    what: 'YAML without kind',
    files: { 'a.yaml': 'apiVersion: v1\nmetadata: {name: a}\n' },
    message: [/no-kind\/a\.yaml/, /kind/],
  },
  {
    name: 'too-large',
    what: 'YAML over the size limit',
    files: { 'a.yaml': configMap('large', 'x'.repeat(1_100_000)) },
    message: [/too-large/, /limit|larger|exceed/, /1048576|1 ?MiB/],
  },
  {
    name: 'laughs',
    what: 'a billion-laughs document',
    files: {
      'a.yaml': `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\na0: &a0 [lol]\n${Array.from(
        { length: 9 },
        (_, level) => `a${level + 1}: &a${level + 1} [${Array(10).fill(`*a${level}`).join(', ')}]\n`,
      ).join('')}`,
    },
    message: [/laughs\/a\.yaml/, /alias|nodes/i],
  },
]

const mesh = await meshOfFile({
  environment: { WADI_MAX_MANIFEST_SIZE: '1MiB', WADI_MAX_MESSAGE_SIZE: '4MiB' },
})
const files = badInputs.flatMap((input) =>
  Object.entries(input.files).map(([path, text]) => [`${input.name}/${path}`, text]),
)
const good = { 'good/a.yaml': configMap('good', '1'), 'other/a.yaml': configMap('other', '1') }
const repository = await mesh.fixture.createRepository('inputs', { ...good, ...Object.fromEntries(files) })

for (const { name, what, message } of badInputs) {
  test(`${what} is reported with its place and writes nothing`, async () => {
    const branch = `errors/${name}`
    const text = await mesh.fixture.applyAndFail({ name, repoURL: repository.url, branch })
    for (const part of message) assert.match(text, part)
    assert.equal(await repository.head(branch), '')
    assert.equal(await repository.note(branch), '')
  })
}

test('one invalid application holds its whole group back and is named to the others', async () => {
  const branch = 'errors/group'
  const common = { repoURL: repository.url, branch }
  await mesh.fixture.apply({ ...common, name: 'group-good', path: 'good' })
  await mesh.fixture.applyAndFail({ ...common, name: 'group-bad', path: 'no-kind' })
  const text = await mesh.fixture.waitForFailure('group-good')
  assert.match(text, /argocd\/group-bad/)
})

test('two applications with different sources on one path each name the other', async () => {
  const common = { repoURL: repository.url, branch: 'errors/conflict', syncPath: 'same' }
  await mesh.fixture.apply({ ...common, name: 'conflict-one', path: 'good' })
  await mesh.fixture.apply({ ...common, name: 'conflict-two', path: 'other' })
  const one = await mesh.fixture.waitFor('conflict-one', ({ status }) => {
    return status.currentOperation?.phase === 'Failed'
  })
  const two = await mesh.fixture.waitForFailure('conflict-two')
  assert.match(one.currentOperation?.message ?? '', /path same .*conflict-two/)
  assert.match(two, /path same .*conflict-one/)
})

test('the root as sync path works for an application alone and is refused beside others, in every spelling', async () => {
  const { fixture } = mesh
  const root = { name: 'root', path: 'good', repoURL: repository.url, branch: 'errors/root', syncPath: '.' }
  await fixture.applyAndWait(await repository.dry.head(), root)
  assert.deepEqual(await repository.files(root.branch), ['README.md', 'hydrator.metadata', 'manifest.yaml'])
  await fixture.apply({ ...root, name: 'beside-root', path: 'other', syncPath: 'beside' })
  for (const syncPath of ['.', './', '/', 'a/..', './/.']) {
    await fixture.apply({ ...root, syncPath })
    const status = await fixture.waitFor('root', ({ request, status: { currentOperation } }) => {
      const shown = currentOperation?.sourceHydrator.syncSource.path
      return request === '' && currentOperation?.phase === 'Failed' && shown === syncPath
    })
    assert.match(status.currentOperation?.message ?? '', /root of branch .*beside-root/)
  }
  assert.equal((await repository.commits(root.branch)).length, 1)
})

test('a template in the operator settings that does not parse is reported as theirs', async () => {
  const { fixture } = mesh
  for (const key of ['sourceHydrator.readmeMessageTemplate', 'sourceHydrator.commitMessageTemplate']) {
    await fixture.applyOperatorSettings({ [key]: 'Hello {{ .name ' })
    const name = `template-${key.includes('readme') ? 'readme' : 'commit'}`
    const branch = `errors/${name}`
    const text = await fixture.applyAndFail({ name, path: 'good', repoURL: repository.url, branch })
    assert.ok(text.includes(`argocd-cm ${key}`), text)
    assert.equal(await repository.head(branch), '')
  }
  await fixture.applyOperatorSettings({})
})

test('a branch that does not match the pattern of the operator is refused', async () => {
  const { fixture } = mesh
  await fixture.applyOperatorSettings({ 'sourceHydrator.branchPattern': 'environments/*' })
  const branch = 'errors/pattern'
  const text = await fixture.applyAndFail({ name: 'pattern', path: 'good', repoURL: repository.url, branch })
  assert.match(text, /errors\/pattern does not match environments\/\*.*argocd-cm/)
  await fixture.applyOperatorSettings({})
})
