import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseRepositoryUrl } from '@wadi/git/remote/repository-url.ts'
import { namesHost } from './named-hosts.ts'

const urlPolicy = { allowFile: false, allowPlainHttp: 'always' } as const

for (const [stored, project, url, isNamed] of [
  ['https://git.internal/a/b.git', '', 'https://git.internal/c/d.git', true],
  ['https://git.internal', '', 'https://git.internal/c.git', true],
  ['https://GIT.internal:443/', '', 'https://git.internal/c.git', true],
  ['git@git.internal:a.git', '', 'ssh://git@git.internal/b.git', true],
  ['http://127.0.0.1:3000/a.git', '', 'http://127.0.0.1:3000/b.git', true],
  ['https://[fd00::1]/a.git', '', 'https://[fd00::1]/b.git', true],
  ['https://git.internal/a.git', 'web', 'https://git.internal/a.git', true],
  ['https://git.internal/a.git', 'other', 'https://git.internal/a.git', false],
  ['https://git.internal/a.git', '', 'https://git.internal:8443/a.git', false],
  ['https://git.internal/a.git', '', 'git@git.internal:a.git', false],
  ['https://git.internal/a.git', '', 'https://sub.git.internal/a.git', false],
  ['http://127.0.0.1:3000/a.git', '', 'http://127.0.0.1:6379/a.git', false],
] as const) {
  test(`${stored} for ${project || 'everybody'} ${isNamed ? 'names' : 'does not name'} the host of ${url}`, () => {
    const remote = parseRepositoryUrl(url, urlPolicy)
    assert.equal(namesHost([{ url: stored, project }], remote, 'web'), isNamed)
  })
}
