import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openStandIn, pull, review } from './opened-forge-fixture.ts'
import { putReview } from './put-review.ts'

for (const { name, title, result, key, textOf, text, rejected } of [
  {
    name: 'bitbucket',
    title: '',
    result: 'FAILED',
    key: 'wadi-diff',
    textOf: 'summary',
    text: 'is not a number',
    rejected: 403,
  },
  {
    name: 'bitbucket-server',
    title: 'web cannot be hydrated',
    result: 'FAIL',
    key: 'wadi.diff',
    textOf: 'message',
    text: 'web cannot be hydrated: is not a number',
    rejected: 401,
  },
] as const) {
  test(`annotations of ${name} are a report, written once and replaced by others`, async () => {
    await using opened = await openStandIn(name)
    const { forge, server, heads } = opened
    server.state.pulls.push(pull())
    const place = { path: 'web/values.yaml', line: 2 }
    const annotation = { ...place, level: 'error', title, message: 'is not a number' } as const
    const whole = review(heads.next, { annotations: [annotation, { ...annotation, line: 0 }] })
    assert.equal((await putReview(forge, '1', whole)).annotations, 'written')
    assert.equal((await putReview(forge, '1', whole)).annotations, 'unchanged')
    assert.equal(
      (await putReview(forge, '1', { ...whole, annotations: [annotation] })).annotations,
      'written',
    )
    const [report, ...others] = server.state.checkRuns
    assert.deepEqual([others, report?.body['result'], report?.body['key']], [[], result, key])
    const marks = report?.body['annotations']
    assert.deepEqual(Array.isArray(marks) && marks.map((mark) => [mark.path, mark.line, mark[textOf]]), [
      [place.path, place.line, text],
    ])
    server.rejections.push({ status: rejected })
    const commit = { sha: heads.next, context: 'wadi/other', summary: '' }
    assert.equal(await forge.putAnnotations(commit, [annotation]), 'unsupported')
    assert.deepEqual(server.violations, [])
  })
}
