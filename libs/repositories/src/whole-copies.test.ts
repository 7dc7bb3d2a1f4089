import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLogger } from '@wadi/telemetry/logger.ts'
import { createMetrics } from '@wadi/telemetry/metrics.ts'
import { WholeCopies } from './whole-copies.ts'

test('copies that are whole are counted and logged by reason, and found where the server is the reason', async () => {
  const lines: string[] = []
  const metrics = createMetrics('repo-server')
  const logger = createLogger({
    service: 'repo-server',
    level: 'info',
    format: 'json',
    write: (line) => void lines.push(line),
  })
  const copies = new WholeCopies({ logger, metrics })
  copies.add('https://git.example/a.git', 'not offered', 'the server offers no parts')
  for (const _ of [1, 2]) {
    copies.add('https://user:pass@git.example/b.git', 'odd answers', 'the answer has no pack')
  }
  assert.match(
    await metrics.expose(),
    /wadi_whole_copies_total\{reason="odd answers",service="repo-server"\} 2/,
  )
  const [first = '', second = ''] = lines
  assert.match(first, /"level":"info".*a\.git/)
  assert.match(second, /"level":"warn".*b\.git.*the answer has no pack/)
  assert.doesNotMatch(lines.join(''), /user:pass/)
  const findings = copies.findings()
  assert.equal(findings.length, 1)
  assert.match(
    findings[0]?.message ?? '',
    /^https:\/\/[^ ]*git\.example\/b\.git offers parts .*the answer has no pack/,
  )
})
