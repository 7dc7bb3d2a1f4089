import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { makeSshKey, noSigningPrograms } from '@wadi/testing/signing-keys.ts'
import { runTestGit } from '@wadi/testing/test-git.ts'
import { startMirrorFixture } from '../mirror/mirror-fixture.ts'
import { buildCommits, checkedCommit } from './build-commit.ts'
import { pushRefs } from './push.ts'

const author = { name: 'Wadi Ω', email: 'wadi@example.com', date: new Date('2025-01-01T00:00:00Z') }
const run = promisify(execFile)
const skip = noSigningPrograms

test(
  'a parent, its child and the commit of their notes are signed, and pushed without what git made before',
  { skip },
  async () => {
    await using fixture = await startMirrorFixture()
    const { mirror, repository, scratch } = fixture
    const key = await makeSshKey(scratch, 'key')
    const signers = path.join(scratch, 'signers')
    await writeFile(signers, `wadi ${key.publicKey}\n`)
    let signatures = 0
    const sign = async (commit: Buffer): Promise<string> => {
      const file = path.join(scratch, `commit-${signatures++}`)
      await writeFile(file, commit)
      await run('ssh-keygen', ['-q', '-Y', 'sign', '-n', 'git', '-f', path.join(scratch, 'key'), file])
      return await readFile(`${file}.sig`, 'utf8')
    }
    const plan = (parent: string | number | undefined, text: string) =>
      checkedCommit({
        parent,
        message: `Write ${text} – “quoted”\n\nWith a body\n`,
        author,
        committer: author,
        changes: text === '' ? [] : [{ path: `${text}.yaml`, content: text }],
      })
    const notes = { notes: [{ target: 1, content: '{"drySha":"1"}' }], author }
    const known = await repository.head()
    const built = await buildCommits(mirror, [plan(undefined, ''), plan(0, 'a'), plan(known, 'b')], notes, {
      sign,
    })
    assert.equal(signatures, 4)
    assert.equal(built.pack, undefined)
    const [root = '', child = '', other = ''] = built.commits
    const written = [root, child, other, built.notes ?? '']
    await pushRefs(
      mirror,
      ['root', 'child', 'other', 'notes'].map((name, index) => ({
        source: written[index] ?? '',
        ref: name === 'notes' ? 'refs/notes/hydrator.metadata' : `refs/heads/${name}`,
        expected: undefined,
      })),
      { atomic: true },
    )
    const { directory } = repository
    await runTestGit(directory, ['-c', `gpg.ssh.allowedSignersFile=${signers}`, 'verify-commit', ...written])
    await runTestGit(directory, ['fsck', '--strict'])
    const shown = (commit: string, format: string) =>
      runTestGit(directory, ['show', '-s', `--format=${format}`, commit])
    assert.equal((await shown(child, '%P')).trim(), root)
    assert.equal((await shown(other, '%P')).trim(), known)
    assert.equal((await shown(child, '%an%n%B')).trim(), 'Wadi Ω\nWrite a – “quoted”\n\nWith a body')
    assert.equal(
      await runTestGit(directory, ['notes', '--ref=hydrator.metadata', 'show', child]),
      '{"drySha":"1"}\n',
    )
    assert.equal(await runTestGit(directory, ['show', `${child}:a.yaml`]), 'a')
  },
)

test('without a signature nothing is built, and the error is that of the signer', async () => {
  await using fixture = await startMirrorFixture()
  const { mirror } = fixture
  const plan = checkedCommit({
    message: 'Write\n',
    author,
    committer: author,
    changes: [{ path: 'a', content: '1' }],
  })
  const sign = () => Promise.reject(new Error('the agent is away'))
  await assert.rejects(buildCommits(mirror, [plan], undefined, { sign }), /^Error: the agent is away$/)
  const refs = await runTestGit(mirror.directory, ['for-each-ref', 'refs/wadi'])
  assert.equal(refs, '')
})
