import assert from 'node:assert/strict'
import { test } from 'node:test'
import { metadataText } from './hydrator-metadata.ts'

/** The rules of GitOps Promoter's API (0.35) for a commit that another refers to: patterns of its CustomResourceDefinition. */
const patterns = { sha: /^([a-f0-9]{40}|[a-f0-9]{64})$/, repoUrl: /^(https?:\/\/.*)?$/ }

const sha = 'b82add298aa045d3672880802d5305c5a8aaa46e'
const cases: [Record<string, string>, Record<string, string> | undefined][] = [
  [
    { sha, repoUrl: 'https://git.example.com/a' },
    { sha, repoUrl: 'https://git.example.com/a' },
  ],
  [{ sha: '1a2b3c4', subject: 's' }, { subject: 's' }],
  [{ sha: '1a2b3c4' }, undefined],
  [{ sha: 'a'.repeat(41), subject: 's' }, { subject: 's' }],
  [{ sha, repoUrl: 'ssh://git@git.example.com/a.git' }, { sha }],
  [{ sha, repoUrl: 'git@git.example.com:a.git' }, { sha }],
  [{ sha, repoUrl: 'apps' }, { sha }],
  [{ sha, repoUrl: 'https://' }, { sha }],
  [{ sha, repoUrl: 'http://[::1/' }, { sha }],
  [{ sha, repoUrl: 'ftp://git.example.com/a' }, { sha }],
  [{ repoUrl: 'http://git.example.com:8080/a?b' }, { repoUrl: 'http://git.example.com:8080/a?b' }],
]

for (const [commit, wanted] of cases) {
  test(`of a reference with ${JSON.stringify(commit)} promoters get ${JSON.stringify(wanted)}`, () => {
    const facts = { repoURL: 'https://git.example.com/apps.git', drySha: sha, drySHA: sha }
    const text = metadataText({ ...facts, references: [{ commit }] })
    const written = JSON.parse(text) as { references?: { commit: Record<string, string> }[] }
    assert.deepEqual(written, { ...facts, ...(wanted && { references: [{ commit: wanted }] }) })
    for (const [field, pattern] of Object.entries(patterns)) {
      assert.match(written.references?.[0]?.commit[field] ?? (field === 'sha' ? sha : ''), pattern)
    }
  })
}
