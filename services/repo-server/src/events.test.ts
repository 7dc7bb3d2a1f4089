import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Tools } from '@wadi/renderer-tools/find-tools.ts'
import { createLogger } from '@wadi/telemetry/logger.ts'
import { createMetrics } from '@wadi/telemetry/metrics.ts'
import { reportEngines, reportTools } from './events.ts'

const helm = 'v4.3.1'
const tools: Tools = {
  helm: { command: ['helm'], version: helm },
  kustomize: { command: ['kustomize'], version: 'v4.0.0', standalone: true },
}

async function report(isFast: boolean): Promise<{ lines: string; metrics: string; left: string[] }> {
  const lines: string[] = []
  const left: string[] = []
  const logger = createLogger({
    service: 'repo-server',
    level: 'info',
    format: 'json',
    write: (line) => lines.push(line),
  })
  const metrics = createMetrics('repo-server')
  reportTools(logger, tools, isFast, left)
  reportEngines(metrics, { known: tools }, isFast)
  return { lines: lines.join(''), metrics: await metrics.expose(), left }
}

test('the start says which versions an engine renders, and which have none', async () => {
  const { lines, metrics, left } = await report(true)
  assert.match(lines, new RegExp(`rendered within the service: helm ${helm}"`))
  assert.match(lines, /"level":"warn".*Kustomize v4\.0\.0 runs as a program for every render/)
  assert.match(
    metrics,
    new RegExp(`wadi_render_engines\\{renderer="helm",version="${helm}",state="engine",.*\\} 1`),
  )
  assert.match(metrics, /wadi_render_engines\{renderer="kustomize",version="v4\.0\.0",state="missing",.*\} 1/)
  assert.deepEqual(left, [])
})

test('engines that the operator turned off are logged, counted and left to findings', async () => {
  const { lines, metrics, left } = await report(false)
  assert.match(lines, /WADI_RENDERERS=tools turns the engines off/)
  assert.match(metrics, /wadi_render_engines\{renderer="helm",version="[^"]*",state="off",.*\} 1/)
  assert.equal(left.length, 1)
})
