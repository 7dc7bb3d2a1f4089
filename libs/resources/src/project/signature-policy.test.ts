import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseAppProject } from './app-project.ts'
import { signatureRequirement } from './signature-policy.ts'

const alice = 'D56C4FCA57A46444'
const repoURL = 'https://git.example.com/team/apps.git'

function project(spec: Record<string, unknown>) {
  const metadata = { namespace: 'argocd', name: 'secure' }
  return parseAppProject({ apiVersion: 'argoproj.io/v1alpha1', kind: 'AppProject', metadata, spec })
}

function withPolicies(...policies: unknown[]) {
  return { sourceIntegrity: { git: { policies } } }
}

function policy(urls: string[], rest: Record<string, unknown> = { gpg: { mode: 'head', keys: [alice] } }) {
  return { repos: urls.map((url) => ({ url })), ...rest }
}

test('a project without keys and policies asks for no signature', () => {
  for (const spec of [{}, { signatureKeys: [] }, withPolicies(), withPolicies(policy(['https://other/*']))]) {
    assert.equal(signatureRequirement(project(spec), repoURL), undefined)
  }
})

test('signature keys ask for a signature of the head in every repository', () => {
  const required = signatureRequirement(project({ signatureKeys: [{ keyID: alice.toLowerCase() }] }), repoURL)
  assert.deepEqual(required, { project: 'secure', mode: 'head', gpgKeys: [alice], sshSigners: [], error: '' })
})

test('policies take the place of signature keys', () => {
  const spec = { signatureKeys: [{ keyID: 'AAAAAAAAAAAAAAAA' }], ...withPolicies(policy(['*'])) }
  assert.deepEqual(signatureRequirement(project(spec), repoURL)?.gpgKeys, [alice])
})

for (const [urls, matches] of [
  [['*'], true],
  [['https://git.example.com/team/*'], true],
  [['https://git.example.com/team/apps'], true],
  [['https://GIT.example.com/Team/Apps.git'], true],
  [['https://git.example.com/*', '!https://git.example.com/team/apps'], false],
  [['https://git.example.com/*', '!https://git.example.com/team/other'], true],
  [['!https://git.example.com/team/other'], false],
  [[], false],
] as const) {
  test(`repos ${JSON.stringify(urls)} ${matches ? 'match' : 'do not match'}`, () => {
    const required = signatureRequirement(project(withPolicies(policy([...urls]))), repoURL)
    assert.equal(required !== undefined, matches)
  })
}

test('mode none asks for nothing, and several policies for one repository refuse everything', () => {
  const none = policy(['*'], { gpg: { mode: 'none', keys: [] } })
  assert.equal(signatureRequirement(project(withPolicies(none)), repoURL), undefined)
  const two = signatureRequirement(project(withPolicies(none, policy(['*']))), repoURL)
  assert.match(two?.error ?? '', /^2 policies of spec\.sourceIntegrity\.git match this repository/)
})

test('a policy may permit GPG keys and SSH signers side by side', () => {
  const both = {
    gpg: { mode: 'strict', keys: [alice] },
    ssh: { mode: 'strict', signers: ['bob@example.com'] },
  }
  const required = signatureRequirement(project(withPolicies(policy(['*'], both))), repoURL)
  assert.deepEqual(
    [required?.mode, required?.gpgKeys, required?.sshSigners],
    ['strict', [alice], ['bob@example.com']],
  )
})

for (const [spec, message] of [
  [
    { signatureKeys: [{ keyID: '57A46444' }] },
    /spec\.signatureKeys\[0\]\.keyID must be a key id of 16 .*"57A46444"/,
  ],
  [{ signatureKeys: [{ keyId: alice }] }, /spec\.signatureKeys\[0\]\.keyID is required/],
  [{ sourceIntegrity: { helm: {} } }, /unknown field spec\.sourceIntegrity\.helm; expected one of git/],
  [{ sourceIntegrity: { git: { polices: [] } } }, /unknown field spec\.sourceIntegrity\.git\.polices/],
  [withPolicies({ repos: [{ url: '*' }] }), /policies\[0\] needs gpg or ssh/],
  [
    withPolicies(policy(['*'], { gpg: { mode: 'all' } })),
    /gpg\.mode must be none, head or strict, not "all"/,
  ],
  [withPolicies(policy(['*'], { gpg: { keys: [alice] } })), /gpg\.mode is required/],
  [
    withPolicies(policy(['*'], { gpg: { mode: 'head', key: alice } })),
    /unknown field .*gpg\.key; did you mean keys\?$/,
  ],
  [withPolicies(policy(['*'], { gpg: { mode: 'head' }, ssh: { mode: 'strict' } })), /must be equal/],
  [withPolicies(policy(['['])), /repos\[0\]\.url: /],
  [withPolicies('strict'), /policies\[0\] must be an object/],
] as const) {
  test(`refuses ${JSON.stringify(spec)}`, () => {
    assert.throws(() => project(spec), { name: 'InvalidInputError', message })
  })
}
