import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '@wadi/testing/until.ts'
import { application, repoURL } from '../run/run-fixture.ts'
import { pull, settled, sha, startWatch } from './watched-forge-fixture.ts'

for (const [index, spelling] of [
  'git@git.example.com:team/apps.git',
  'https://robot@git.example.com/Team/apps',
].entries()) {
  test(`a repository that is spelled in two ways gets one review of all its Applications (${spelling})`, async () => {
    const other = application('api', { drySource: { repoURL: spelling } })
    await using started = await startWatch({}, '', undefined, [application('web'), other])
    const { forge, watch, states } = started
    await until(() => settled(forge))
    watch.lookAtAll()
    await until(() => forge.lists === 2)
    assert.deepEqual(states(), ['pending', 'success'])
    assert.match(forge.written[1]?.comment?.body ?? '', /- Applications: 2 changed/)
    // Credentials may be stored for either.
    forge.spelling = [spelling, repoURL][index] ?? ''
    forge.pulls = [pull({ headSha: sha('b') })]
    watch.hint(repoURL)
    await until(() => settled(forge, sha('b')))
    assert.deepEqual(states(), ['pending', 'success', 'pending', 'success'])
  })
}
