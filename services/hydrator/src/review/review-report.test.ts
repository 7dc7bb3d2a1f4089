import assert from 'node:assert/strict'
import { test } from 'node:test'
import { create } from '@bufbuild/protobuf'
import { summarize } from '@wadi/changes/applications/summary.ts'
import { ApplicationChangesSchema } from '@wadi/protocol/gen/wadi/changes/v1/changes_pb.ts'
import type { ReviewSetting } from '@wadi/resources/project/review-setting.ts'
import type { Compared } from '../compare/compare.ts'
import { type ReviewedPullRequest, reviewReport } from './review-report.ts'

const head = 'a'.repeat(40)
const base = 'b'.repeat(40)

function changed(name: string, parts: object = {}) {
  return create(ApplicationChangesSchema, {
    namespace: 'argocd',
    name,
    branch: 'environments/prod',
    path: name,
    outcome: 'changed',
    objects: [
      {
        change: 'changed',
        identity: { group: '', kind: 'ConfigMap', namespace: '', name: `settings-of-${name}` },
        before: 'value: "1"\n',
        after: 'value: "2"\n',
      },
    ],
    ...parts,
  })
}

function failed(name: string, parts: object = {}) {
  const failure = { outcome: 'failed', objects: [], errors: [`${name}/a.yaml:2: not YAML @acme/team`] }
  return changed(name, { ...failure, errorPlaces: [{ file: `${name}/a.yaml`, line: 2 }], ...parts })
}

function compared(...applications: Compared['applications'][number][]): Compared {
  const facts = { applications: 50, target: 'main', revisionSha: head, baseSha: base }
  return { applications, summary: summarize(applications, facts) }
}

function review(
  shown: Record<string, ReviewSetting>,
  parts: Partial<ReviewedPullRequest['pull']> & { maxCommentLength?: number; isPrivate?: boolean } = {},
): ReviewedPullRequest {
  const { maxCommentLength = 65_536, isPrivate = false, ...pull } = parts
  const names = Object.entries(shown).map(([name, setting]) => [`argocd/${name}`, setting] as const)
  return {
    repository: {
      key: 'git.example.com/acme/shop',
      repoUrl: 'https://git.example.com/acme/shop.git',
      project: 'default',
      others: [],
      applications: new Map(names),
      left: 0,
      settings: '',
      consoleUrl: 'https://wadi.example.com',
    },
    pull: {
      number: '7',
      headSha: head,
      headBranch: 'next',
      headUrl: '',
      baseBranch: 'main',
      isFork: false,
      ...pull,
    },
    maxCommentLength,
    isPrivate,
  }
}

function body(of: ReviewedPullRequest, found: Compared): string {
  return reviewReport(of, found).comment?.body ?? ''
}

test('a project can show diffs while the repository is private, and counts when everybody may read it', () => {
  for (const isPrivate of [true, false]) {
    const comment = body(review({ web: 'diffs-if-private' }, { isPrivate }), compared(changed('web')))
    assert.equal(comment.includes('settings-of-web'), isPrivate)
    assert.match(comment, /Applications: 1 changed/)
  }
})

test('a project that shows diffs has names, errors and diffs in the comment, and errors as annotations', () => {
  const text = reviewReport(
    review({ web: 'diffs', broken: 'diffs' }),
    compared(changed('web'), failed('broken')),
  )
  assert.equal(text.status?.state, 'failure')
  assert.equal(text.status.description, '1 of 50 applications cannot be hydrated any more')
  assert.equal(
    text.status.targetUrl,
    `https://wadi.example.com/impact?repository=https%3A%2F%2Fgit.example.com%2Facme%2Fshop.git&revision=${head}`,
  )
  const comment = text.comment?.body ?? ''
  assert.match(comment, /`main \(bbbbbbb\)` compared with `pull request 7 \(aaaaaaa\)`/)
  assert.match(
    comment,
    /<details><summary><code>environments\/prod argocd\/web: changed ConfigMap settings-of-web/,
  )
  assert.match(comment, /\*\*Error\*\* `argocd\/broken`: `broken\/a\.yaml:2: not YAML @acme\/team`/)
  assert.match(comment, /\[Open in the console\]\(https:\/\/wadi\.example\.com\/impact\?/)
  assert.deepEqual(text.annotations, [
    {
      path: 'broken/a.yaml',
      line: 2,
      level: 'error',
      title: 'argocd/broken cannot be hydrated',
      message: 'broken/a.yaml:2: not YAML @acme/team',
    },
  ])
})

test('of an Application whose project shows counts, nothing but the counts is said', () => {
  const of = review({ web: 'summary', broken: 'summary' })
  const text = reviewReport(of, compared(changed('web'), failed('broken')))
  assert.doesNotMatch(JSON.stringify(text), /argocd\/|settings|broken|environments|not YAML/)
  assert.match(text.comment?.body ?? '', /- Applications: 1 changed, 1 failed, 48 unchanged\n/)
  assert.match(text.comment?.body ?? '', /- Counted alone: 2 applications whose project shows no more here/)
  assert.deepEqual(text.annotations, [])
})

test('what could not be hydrated before either is no failure of the pull request', () => {
  const { status } = reviewReport(review({ old: 'diffs' }), compared(failed('old', { failedBefore: true })))
  assert.equal(status?.state, 'success')
  assert.equal(status.description, 'no change of 50 applications, 1 failed before')
})

test('a status without change, and one with changes and warnings, is one line', () => {
  const of = review({ web: 'diffs' })
  const line = (...found: Parameters<typeof compared>) =>
    reviewReport(of, compared(...found)).status?.description
  assert.equal(line(), 'no change of 50 applications')
  assert.equal(
    line(changed('web', { warnings: ['options are not in git'] })),
    '1 of 50 applications changes on 1 branch; objects: 1 changed, 1 warning',
  )
})

test('the comment says that commands of a fork were not run', () => {
  const comment = body(review({ web: 'diffs' }, { isFork: true }), compared(changed('web')))
  assert.match(comment, /- The pull request is from a fork, so no plugin, action or ytt was run/)
})

test('forty broken applications and long diffs stay within the length of a comment, with the place of the whole', () => {
  const names = Array.from({ length: 40 }, (_, index) => `broken-${index}`)
  const long = changed('long', {
    objects: Array.from({ length: 40 }, (_, index) => ({
      change: 'changed',
      identity: { kind: 'ConfigMap', name: `n${index}` },
      before: '',
      after: 'x: y\n'.repeat(1_000),
    })),
  })
  const errors = ['x'.repeat(50_000)]
  const found = compared(long, ...names.map((name) => failed(name, { errors })))
  const of = review(Object.fromEntries([...names, 'long'].map((name) => [name, 'diffs' as const])))
  const text = reviewReport(of, found)
  const comment = text.comment?.body ?? ''
  assert.ok(comment.length <= 65_536, String(comment.length))
  assert.equal(comment.match(/\*\*Error\*\*/g)?.length, 40)
  assert.match(
    comment,
    /\d+ more diffs: the whole report is too long for a comment\. All of it is in \[the console\]\(/,
  )
  assert.match(
    comment,
    /`wadi diff --repo https:\/\/git\.example\.com\/acme\/shop\.git --revision a{40} --base main`/,
  )
  assert.equal(text.annotations?.length, 40)
  assert.equal(text.status?.description, '40 of 50 applications cannot be hydrated any more')
})

test('text from git cannot become a mention, a link, a command of the forge or a way out of its block', () => {
  const evil = changed('web', {
    branch: 'x`|<b>@acme/team',
    warnings: ['/close\n[a](https://evil.example.com) @acme/team ```'],
    objects: [
      {
        change: 'created',
        identity: { kind: 'ConfigMap', name: '</code></summary>@acme/team' },
        before: '',
        after: '```\n</details>\n/close\n@acme/team\n````\n',
      },
    ],
  })
  const comment = body(review({ web: 'diffs' }, { baseBranch: '`@acme/team`' }), compared(evil))
  const outside = comment
    .replaceAll(/^(`{3,})diff\n[^]*?\n\1$/gm, '')
    .replaceAll(/<code>[^<]*<\/code>/g, '')
    .replaceAll(/(?<!`)(`+)(?!`)[^\n]*?(?<!`)\1(?!`)/g, '')
  assert.doesNotMatch(outside, /@|evil|\/close|<b>/)
  assert.equal(outside.match(/<\/details>/g)?.length, 1)
})
