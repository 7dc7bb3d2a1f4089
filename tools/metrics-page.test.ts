import assert from 'node:assert/strict'
import { mkdir, mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { metricsPage, readMetrics } from './metrics-page.ts'

async function pageOf(source: string): Promise<string> {
  await using scratch = await mkdtempDisposable(path.join(tmpdir(), 'wadi-metrics-'))
  await mkdir(path.join(scratch.path, 'services/hydrator'), { recursive: true })
  await writeFile(path.join(scratch.path, 'services/hydrator/events.ts'), source)
  return metricsPage(await readMetrics(scratch.path))
}

test('a metric has its name, type, labels and meaning in the chapter of its service', async () => {
  const page = await pageOf(`
    metrics.counter('runs_total', "A group's runs.", ['outcome'])
    metrics.gauge(
      'wait_seconds',
      'Time <queue>.',
      [
        'project',
        'step',
      ],
      async (gauge) => gauge.set(1),
    )`)
  const [, chapter = ''] = page.split('## hydrator\n')
  assert.equal(
    chapter.split('\n## ', 1).join(),
    `
| Metric | Meaning |
| --- | --- |
| \`wadi_runs_total\`<br>counter by \`outcome\` | A group's runs. |
| \`wadi_wait_seconds\`<br>gauge by \`project\`, \`step\` | Time \\<queue>. |
`,
  )
})

test('a metric whose help or labels are not literals is an error', async () => {
  for (const rest of ['help', "'Runs ' + more", "'Runs.', labels", "'Runs.', [...labels, 'outcome']"]) {
    await assert.rejects(
      pageOf(`metrics.counter('runs_total', ${rest})`),
      /services\/hydrator\/events\.ts: give a metric its name, help and labels as literals/,
      rest,
    )
  }
})
