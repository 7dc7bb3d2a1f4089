import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { loadTemplateEngine } from '@wadi/engines/templates/template.ts'
import { readOperatorSettings } from '../operator-settings.ts'
import { startRunFixture } from '../run/run-fixture.ts'
import type { CommitFacts, DirectoryFacts } from './hydrator-metadata.ts'
import { documentTemplates, renderCommitMessage, renderReadme } from './render-documents.ts'

const engine = await loadTemplateEngine()

const facts: DirectoryFacts = {
  repoURL: 'https://github.com/argoproj/argocd-example-apps',
  drySha: 'ab2382f0000000000000000000000000000000ff',
  drySHA: 'ab2382f0000000000000000000000000000000ff',
  commitAuthor: 'Michael Crenshaw <michael@example.com>',
  commitMessage: 'chore: bumped image tag to v0.0.2',
  commitTime: '2024-03-27 10:32:04 UTC',
  commands: ['kustomize edit set image my-app:v0.0.2', 'kustomize build environments/dev/west'],
  drySource: { targetRevision: 'main', path: 'environments/dev/west' },
  applications: [{ metadata: { name: 'dev-west', namespace: 'argocd' }, name: 'dev-west' }],
  tools: [],
}

function testdata(name: string): string {
  return readFileSync(join(import.meta.dirname, 'testdata', name), 'utf8')
}

/** Returns a commit message as git itself cleans it. */
function cleanedByGit(text: string): string {
  const { stdout, status } = spawnSync('git', ['stripspace'], { input: text, encoding: 'utf8' })
  assert.equal(status, 0)
  return stdout
}

test('the README is the example of the proposal', () => {
  assert.equal(
    renderReadme(undefined, facts),
    `# dev-west Manifests

[manifest.yaml](./manifest.yaml) contains the hydrated manifests for the dev-west application.

These are the details of the most recent change;
* Author: Michael Crenshaw <michael@example.com>
* Message: chore: bumped image tag to v0.0.2
* Time: 2024-03-27 10:32:04 UTC

To reproduce the manifest hydration, do the following:

\`\`\`
git clone https://github.com/argoproj/argocd-example-apps
cd argocd-example-apps
git checkout ab2382f
kustomize edit set image my-app:v0.0.2
kustomize build environments/dev/west
\`\`\`
`,
  )
})

test('the README of several applications lists them, and names the tools that rendered', () => {
  const applications = ['dev-east', 'dev-west'].map((name) => ({
    metadata: { name, namespace: 'argocd' },
    name,
  }))
  const tools = [
    { name: 'helm', version: 'v4.1.4' },
    { name: 'kustomize', version: 'v5.8.1' },
  ]
  const text = renderReadme(undefined, { ...facts, applications, tools, commands: [] })
  assert.ok(
    text.startsWith(`# Manifests for 2 Applications

[manifest.yaml](./manifest.yaml) contains the hydrated manifests for these applications:

- dev-east
- dev-west

These are the details of the most recent change;
`),
  )
  assert.ok(text.endsWith('git checkout ab2382f\n```\n\nRendered with helm v4.1.4, kustomize v5.8.1.\n'))
})

test('text of a dry commit is not a template and no markup of the template engine', () => {
  const commitMessage = '{{ .repoURL }} <b>&amp;</b> `x`'
  assert.ok(renderReadme(undefined, { ...facts, commitMessage }).includes(`* Message: ${commitMessage}\n`))
})

test('the directory to enter is the last part of every form of a repository URL', () => {
  const forms = {
    'https://git.example.com/team/apps.git': 'apps',
    'https://git.example.com/team/apps/': 'apps',
    'git@git.example.com:apps.git': 'apps',
    'ssh://git@git.example.com:22/team/apps.git/': 'apps',
    'file:///srv/git/apps': 'apps',
  }
  for (const [repoURL, name] of Object.entries(forms)) {
    assert.equal(renderReadme({ engine, text: '{{ .repoName }}' }, { ...facts, repoURL }), name)
  }
})

test("a template with the names of Argo CD's own sees the same values", () => {
  const template =
    '{{ .RepoURL }} {{ .DrySHA }} {{ range .Commands }}[{{ . }}]{{ end }}{{ .Author }}|{{ .Subject }}|{{ .Body }}' +
    '{{ range .References }}{{ .Commit.SHA }} {{ .Commit.RepoURL }} {{ .Commit.Subject }} {{ .Commit.Author }}{{ end }}'
  const references = [
    { commit: { sha: 'b82add2', repoUrl: 'https://x.example/r', subject: 's', author: 'A <a@x>' } },
  ]
  assert.equal(
    renderReadme({ engine, text: template }, { ...facts, author: 'CI <ci@x>', references }),
    `${facts.repoURL} ${facts.drySha} [${facts.commands.join('][')}]CI <ci@x>||b82add2 https://x.example/r s A <a@x>`,
  )
})

test("the commit message is Argo CD's, after git's clean-up", () => {
  const recorded = JSON.parse(testdata('root-full.hydrator.metadata')) as CommitFacts
  assert.equal(
    renderCommitMessage(undefined, recorded),
    cleanedByGit(testdata('root-full.commit-message.txt')),
  )
})

test('a commit message is cleaned up exactly as git does', () => {
  const messages = [
    'one',
    '\n\n  indented\n\n\n\nbody  \n\t\n \n# kept\n\n',
    'a\r\n\r\n\r\nb\r\n',
    'a \t\nb\n\n\n\n',
    '\u00a0a\u00a0',
    'a\n \n \n \nb',
    '\n\n\nlate',
  ]
  for (const message of messages) {
    const rendered = renderCommitMessage(
      { engine, text: '{{ .metadata.body }}' },
      { ...facts, body: message },
    )
    assert.equal(rendered, cleanedByGit(message), JSON.stringify(message))
  }
})

test('a commit message of blanks alone is an error of the template', () => {
  assert.throws(() => renderCommitMessage({ engine, text: ' \n{{ "" }}\t\n' }, facts), {
    name: 'InvalidInputError',
    message: 'argocd-cm: sourceHydrator.commitMessageTemplate gives an empty commit message',
  })
})

test('a template that cannot be read is named with its key before anything is rendered; without one the engine is not loaded', async () => {
  await using fixture = await startRunFixture()
  const settings = await readOperatorSettings(fixture.store, false)
  const none = await documentTemplates(() => assert.fail('the engine is loaded'), settings)
  assert.deepEqual(none, { readme: undefined, commitMessage: undefined })
  for (const [change, key] of [
    [{ readmeTemplate: 'a\n{{ if }}' }, 'readmeMessageTemplate'],
    [{ commitMessageTemplate: '{{ nosuch 1 }}' }, 'commitMessageTemplate'],
  ] as const) {
    await assert.rejects(
      documentTemplates(async () => engine, { ...settings, ...change }),
      { name: 'InvalidInputError', message: new RegExp(`argocd-cm sourceHydrator\\.${key}`) },
    )
  }
})

test('what a chart does not say of its author and time is left out of the README', () => {
  const { commitAuthor: _author, commitTime: _time, ...anonymous } = facts
  const readme = renderReadme(undefined, anonymous)
  assert.match(readme, /most recent change;\n\* Message: .*\n\nTo reproduce/)
  assert.doesNotMatch(readme, /no value|Author|Time:/)
})

test('the templates in the guide give what is written without any', () => {
  const guide = readFileSync(join(import.meta.dirname, '../../../../docs/guides/hydrating.md'), 'utf8')
  const [readme = '', message = ''] = [...guide.matchAll(/^(`{3,})gotemplate\n(.*?)^\1$/gms)].map(
    ([, , text = '']) => text,
  )
  const two = ['a', 'b'].map((name) => ({ metadata: { name, namespace: 'argocd' }, name }))
  const tools = [
    { name: 'helm', version: 'v4.1.4' },
    { name: 'kustomize', version: 'v5.8.1' },
  ]
  const { commitAuthor: _author, commitTime: _time, ...anonymous } = facts
  const references = [{ commit: { author: 'A <a@x>', sha: 'b82add2' } }, { commit: {} }]
  const changes: Partial<DirectoryFacts>[] = [
    {},
    { applications: two },
    { layout: 'file-per-object' },
    { applications: two, layout: 'file-per-object', crds: 'omit' },
    { crds: 'separate', tools: tools.slice(0, 1) },
    { tools, commands: [], commitMessage: 'a\r\nb\n\n$& {{ .x }} "é"' },
    { author: 'CI <ci@x>', subject: 'one', body: 'two\n\nthree\n', references },
    { subject: ' ', references: [], body: '' },
  ]
  for (const given of changes.flatMap((change) => [
    { ...facts, ...change },
    { ...anonymous, ...change },
  ])) {
    assert.equal(renderReadme(undefined, given), renderReadme({ engine, text: readme }, given))
    assert.equal(renderCommitMessage(undefined, given), renderCommitMessage({ engine, text: message }, given))
  }
})
