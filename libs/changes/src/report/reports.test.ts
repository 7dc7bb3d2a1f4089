import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { threadMs } from '@wadi/testing/processor-time.ts'
import { create } from '@bufbuild/protobuf'
import { ApplicationChangesSchema } from '@wadi/protocol/gen/wadi/changes/v1/changes_pb.ts'
import { summarize } from '../applications/summary.ts'
import { htmlReport } from './html-report.ts'
import { markdownReport } from './markdown-report.ts'
import type { Report } from './report.ts'
import { textReport } from './text-report.ts'
import { unifiedDiff } from './unified-diff.ts'

const changedWeb = {
  namespace: 'argocd',
  name: 'web',
  branch: 'environments/prod',
  path: 'web',
  outcome: 'changed',
  warnings: ['options are not in git'],
  objects: [
    {
      change: 'changed',
      identity: { group: 'apps', kind: 'Deployment', namespace: 'shop', name: 'web' },
      before: 'spec:\n  replicas: 1\n',
      after: 'spec:\n  replicas: 2\n',
    },
  ],
}
const web = create(ApplicationChangesSchema, changedWeb)
const broken = create(ApplicationChangesSchema, {
  namespace: 'argocd',
  name: 'broken',
  branch: 'environments/dev',
  outcome: 'failed',
  errors: ['a.yaml:1: not YAML'],
})

function reportOf(...applications: Report['applications'][number][]): Report {
  const summary = summarize(applications, { applications: 9, hidden: 2, elsewhere: 1, target: 'main' })
  return { applications, summary, before: 'main (1111111)', after: 'feature (2222222)' }
}

function text(report: Report): string {
  return [...textReport(report)].map((line) => `${line.text}\n`).join('')
}

test('the text has the summary first, then applications by branch, then the diffs', () => {
  assert.equal(
    text(reportOf(web, broken)),
    `Compared:      main (1111111) with feature (2222222)
Applications:  1 changed, 1 failed, 7 unchanged
Branches:      1 changed
Objects:       1 changed
Errors:        1
Warnings:      1
Not compared:  2 more applications that you may not see
Not compared:  1 application that follows another revision than main

branch environments/dev
  argocd/broken  failed
    error: a.yaml:1: not YAML

branch environments/prod
  argocd/web  changed  ~1
    warning: options are not in git

===== environments/prod argocd/web: changed apps/Deployment shop/web =====
--- main (1111111)
+++ feature (2222222)
@@ -1,2 +1,2 @@
 spec:
-  replicas: 1
+  replicas: 2
`,
  )
})

test('a comparison without changes is a summary', () => {
  const report = reportOf()
  assert.match(text(report), /^Applications: {2}9 unchanged\nBranches: {6}none changed\nObjects: {7}none\n/m)
})

test('text from git is neither markup nor a way out of its block', () => {
  const evil = create(ApplicationChangesSchema, {
    ...changedWeb,
    name: 'a|b`c<img src=x>',
    warnings: ['@everyone <script>'],
    objects: [
      {
        change: 'created',
        identity: { group: '', kind: 'ConfigMap', namespace: '', name: '</summary><b>' },
        after: 'data: |\n  ````\n  <script>alert(1)</script>\n',
      },
    ],
  })
  const markdown = markdownReport(reportOf(evil))
  assert.match(markdown, /`````diff\n[^]*\+ {2}````\n[^]*`````\n/)
  assert.match(markdown, /<summary><code>[^<]*&lt;\/summary&gt;&lt;b&gt;<\/code><\/summary>/)
  assert.match(markdown, /\| `` argocd\/a¦b`c<img src=x> `` \|/)
  assert.match(markdown, /`@everyone <script>`/)
  const html = [...htmlReport(reportOf(evil))].join('')
  assert.doesNotMatch(html, /<script|<img|<b>/)
  assert.match(html, /&lt;script&gt;alert/)
})

test('characters that nobody sees, and half a character, are shown as such', () => {
  const { objects } = changedWeb
  const hidden = { ...objects[0], after: 'a: "\u202Eevil\u0000\uD800"\n' }
  const evil = create(ApplicationChangesSchema, {
    ...changedWeb,
    errors: ['\u001B[31m@team'],
    objects: [hidden],
  })
  const markdown = markdownReport(reportOf(evil))
  assert.match(markdown, /^\+a: "\uFFFDevil\uFFFD\uFFFD"$/m)
  assert.match(markdown, /\*\*Error\*\* `argocd\/web`: `\uFFFD\[31m@team`/)
})

test('errors come before diffs, whatever the order of Applications, and notes and the place of the whole are said', () => {
  const later = create(ApplicationChangesSchema, { ...changedWeb, name: 'zzz', errors: ['no such file'] })
  const long = create(ApplicationChangesSchema, {
    ...changedWeb,
    objects: Array.from({ length: 50 }, () => ({ ...changedWeb.objects[0], after: 'x: y\n'.repeat(2_000) })),
  })
  const options = { maxLength: 5_000, notes: ['**a note**'], whole: 'See [there](https://wadi.example.com).' }
  const markdown = markdownReport(reportOf(long, later), options)
  assert.ok(markdown.length <= 5_000)
  assert.match(markdown, /^- \*\*a note\*\*$/m)
  assert.match(markdown, /\*\*Error\*\* `argocd\/zzz`: `no such file`/)
  assert.match(markdown, /more diffs: the whole report is too long for a comment\. See \[there\]\(/)
})

test('a comment stays within its length, and says what it leaves out', () => {
  const large = {
    ...changedWeb,
    objects: Array.from({ length: 50 }, () => ({ ...changedWeb.objects[0], after: 'x: y\n'.repeat(2_000) })),
  }
  const report = reportOf(create(ApplicationChangesSchema, large), broken)
  const markdown = markdownReport(report)
  assert.ok(markdown.length <= 60_000, String(markdown.length))
  assert.match(markdown, /\d+ more diffs: the whole report is too long for a comment/)
  const many = Array.from({ length: 2_000 }, (_, index) =>
    create(ApplicationChangesSchema, { ...changedWeb, name: `web-${index}`, objects: [] }),
  )
  const table = markdownReport(reportOf(...many))
  assert.ok(table.length <= 60_000)
  assert.match(table, /\d+ more applications, \d+ more warnings: the whole report/)
})

test('texts that have nothing in common are shown as replaced in a bounded time', () => {
  const lines = (sign: string): string =>
    Array.from({ length: 30_000 }, (_, index) => `${sign}${index}\n`).join('')
  const compared = { before: lines('a'), after: lines('b'), labels: { before: 'old', after: 'new' } }
  let diff = ''
  assert.ok(threadMs(() => (diff = unifiedDiff(compared))) < 20_000)
  assert.match(diff, /^--- old\n\+\+\+ new\n-a0\n/)
})

test('a diff that many Applications have is shown once, with the names of the others', () => {
  const changed = (index: number) => {
    const identity = { group: 'apps', kind: 'Deployment', namespace: 'shop', name: `web-${index}` }
    const labels = 'kind: Deployment\nmetadata:\n  annotations: {}\n  labels:\n    a: b\n    version: '
    // The name is among the lines that are shown around the change.
    const rest = `\n  name: web-${index}\n  namespace: shop\n`
    const objects = [
      { change: 'changed', identity, before: `${labels}1${rest}`, after: `${labels}2${rest}` },
      {
        change: 'changed',
        identity: { ...identity, kind: 'Service' },
        before: 'a: 1\n',
        after: `a: ${index}\n`,
      },
    ]
    return create(ApplicationChangesSchema, {
      ...changedWeb,
      name: `web-${index}`,
      path: `web-${index}`,
      warnings: [],
      objects,
    })
  }
  const report = reportOf(...Array.from({ length: 4 }, (_, index) => changed(index)))
  const same =
    'The same in 3 others: environments/prod argocd/web-1 (apps/Deployment shop/web-1), ' +
    'environments/prod argocd/web-2 (apps/Deployment shop/web-2), environments/prod argocd/web-3 (apps/Deployment shop/web-3)'
  const [plain, markdown, html] = [text(report), markdownReport(report), [...htmlReport(report)].join('')]
  for (const shown of [plain, markdown, html]) {
    assert.equal(shown.split('version: 2').length - 1, 1)
    assert.ok(shown.includes(same), shown)
  }
  assert.equal(plain.split('=====').length - 1, 2 * 5)
  assert.match(plain, /^Objects: {7}8 changed$/m)
})

test('diffs that are left out of a comment are counted with those that are the same', () => {
  const objects = [{ ...changedWeb.objects[0], after: 'x: y\n'.repeat(20_000) }]
  const many = ['a', 'b', 'c'].map((name) =>
    create(ApplicationChangesSchema, { ...changedWeb, name, objects }),
  )
  assert.match(markdownReport(reportOf(...many)), /3 more diffs: the whole report is too long/)
})

test('the page names its only style by its hash', () => {
  const html = [...htmlReport(reportOf(web))].join('')
  const [, style = ''] = /<style>([^]*)<\/style>/.exec(html) ?? []
  const hash = createHash('sha256').update(style).digest('base64')
  assert.ok(html.includes(`style-src 'sha256-${hash}'"`))
  assert.doesNotMatch(html, /unsafe| style=/)
})
