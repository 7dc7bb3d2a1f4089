import assert from 'node:assert/strict'
import { test } from 'node:test'
import { provenanceType, testResultType } from '@wadi/signatures/attestations/statement.ts'
import { gateProblems, gateResults } from './gate-results.ts'

const commit = 'a'.repeat(40)

/** A verified commit with a directory `web`, and what gates found in it. */
function verified(result: string, passedTests: string[], warnedTests: string[] = []) {
  const about = { commit, directories: new Map([['web', {}]]), branch: 'env', tools: new Map() }
  const rest = { repository: '', syncBranch: '', installation: '' }
  const made = { result: '', passedTests: [], warnedTests: [] }
  const statements = [
    { ...about, ...rest, ...made, predicateType: provenanceType },
    { ...about, ...rest, predicateType: testResultType, result, passedTests, warnedTests },
  ]
  const shown = { commit, author: '', kind: 'attested' as const, signature: '', problems: [] }
  return { ...shown, statements, proven: statements }
}

const missing = (directory: string) => `no attestation says that gates passed in directory ${directory}`

test('gates passed where a statement that passed or warned names a test', () => {
  const directories = ['web']
  const problems = (...found: Parameters<typeof verified>) =>
    gateProblems({ commits: [verified(...found)], directories }, [])
  assert.deepEqual(problems('PASSED', ['web: secrets']), [])
  assert.deepEqual(problems('WARNED', [], ['web: secrets/github']), [])
  assert.deepEqual(problems('PASSED', []), [missing('web')])
  assert.deepEqual(problems('PASSED', ['api: secrets']), [missing('web')])
  for (const result of ['FAILED', 'SKIPPED', '']) {
    assert.deepEqual(problems(result, ['web: secrets']), [missing('web')])
  }
  const { result } = gateResults({ commits: [verified('PASSED', [])], directories })
  assert.equal(result, '')
})

test('each directory at the head needs a statement of a commit that says what made it', () => {
  const found = verified('PASSED', ['web: secrets'])
  assert.deepEqual(gateProblems({ commits: [found], directories: ['web', 'api'] }, []), [missing('api')])
  const commits = [{ ...found, proven: [] }]
  assert.deepEqual(gateProblems({ commits, directories: ['web'] }, ['secrets']), [missing('web')])
})
