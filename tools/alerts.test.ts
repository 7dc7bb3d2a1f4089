import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFile, mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { suite, test } from 'node:test'
import { promisify } from 'node:util'
import { goProgramFile, goProgramMissing } from '@wadi/testing/go-program.ts'
import { deployDirectory, renderChart } from './chart.ts'
import { readObjects } from './kubernetes-objects-fixture.ts'
import { promtoolProgram } from './promtool-program.ts'

const run = promisify(execFile)
const file = path.join(deployDirectory, 'helm/wadi/files/alerts.yaml')
const text = await readFile(file, 'utf8')
const alerts = [...text.matchAll(/^ +- alert: (\w+)$/gm)].map(([, name = '']) => name)
const missing = goProgramMissing(promtoolProgram)
if (missing !== undefined) console.error(`no alert is seen to fire: ${missing}`)

/** A trouble as Prometheus sees it: samples of each minute, and the minutes at which its alert fires, and is over. */
interface Trouble {
  readonly series: Readonly<Record<string, string>>
  readonly firesAt: number
  readonly overAt: number
}

/** Wadi that has nothing to do; a series of a trouble takes the place of its own. */
const atRest = {
  'wadi_queue_jobs{namespace="wadi",state="waiting"}': '0x300',
  'wadi_queue_jobs{namespace="wadi",state="active"}': '0x300',
}
const gauge = (series: string, minutes: number, firesAt: number): Trouble => ({
  series: { [series]: `0x9 3x${minutes} 0x200` },
  firesAt,
  overAt: 9 + minutes + 30,
})
/** A counter that grows every ten minutes for an hour. */
const failing = (series: string, firesAt = 45): Trouble => ({
  series: { [series]: `0x9 ${[1, 2, 3, 4, 5, 6].map((count) => `${count}x9`).join(' ')} 7x200` },
  firesAt,
  overAt: 140,
})
const calls = (method: string, code: string) =>
  failing(`wadi_rpc_duration_seconds_count{namespace="wadi",method="${method}",code="${code}"}`)
/** A counter that is made by the one event that it counts. */
const once = (series: string): Trouble => ({ series: { [series]: '_x9 1x280' }, firesAt: 11, overAt: 80 })

const troubles: Readonly<Record<string, Trouble>> = {
  WadiBranchesFailing: gauge('wadi_failing_branches{namespace="wadi"}', 60, 45),
  WadiDown: {
    series: { 'up{namespace="wadi",job="wadi-hydrator"}': '1x9 0x9 1x200' },
    firesAt: 16,
    overAt: 21,
  },
  WadiQueueUnknown: {
    series: Object.fromEntries(Object.keys(atRest).map((series) => [series, '0x9 _x20 0x200'])),
    firesAt: 25,
    overAt: 32,
  },
  WadiQueueStuck: gauge('wadi_queue_jobs{namespace="wadi",state="waiting"}', 20, 16),
  WadiQueueGrows: {
    series: {
      'wadi_queue_jobs{namespace="wadi",state="waiting"}': '0x9 30x60 0x200',
      'wadi_queue_jobs{namespace="wadi",state="active"}': '2x300',
    },
    firesAt: 50,
    overAt: 75,
  },
  WadiCannotPush: calls('wadi.commit_server.v1.CommitServerService/CommitManifests', 'unavailable'),
  WadiCredentialsRejected: calls(
    'wadi.repo_server.v1.RepoServerService/ResolveRevisions',
    'permission_denied',
  ),
  WadiRepositoriesUnavailable: calls(
    'wadi.repo_server.v1.RepoServerService/InspectSources',
    'deadline_exceeded',
  ),
  WadiCallsFail: calls('wadi.api_gateway.v1.ApplicationService/ListApplications', 'internal'),
  WadiRestarts: {
    series: { 'process_start_time_seconds{namespace="wadi",service="hydrator"}': '1x9 2x3 3x3 4x200' },
    firesAt: 20,
    overAt: 60,
  },
  WadiForeignChanges: once('wadi_foreign_changes_total{namespace="wadi",kind="edited",policy="report"}'),
  WadiBranchesLeft: gauge('wadi_left_branches{namespace="wadi",to="argo-cd"}', 40, 30),
  WadiApplicationSetsFail: failing(
    'wadi_applicationset_reconciles_total{namespace="wadi",outcome="failed"}',
    55,
  ),
  WadiReviewsFail: failing('wadi_reviews_total{namespace="wadi",outcome="failed"}', 55),
  WadiRendererDistrusted: once(
    'wadi_fast_renders_total{namespace="wadi",renderer="helm",outcome="different"}',
  ),
}

suite('of the alerts, exactly one', { skip: missing ?? false }, () => {
  for (const [alert, { series, firesAt, overAt }] of Object.entries(troubles)) {
    test(`${alert} fires while its trouble lasts, and ends after it`, async () => {
      const firing = (minute: number, names: readonly string[]) => ({
        expr: 'count by (alertname) (ALERTS{alertstate="firing"})',
        eval_time: `${minute}m`,
        exp_samples: names.map((name) => ({ labels: `{alertname="${name}"}`, value: 1 })),
      })
      await testRules({
        interval: '1m',
        input_series: Object.entries({ ...atRest, ...series }).map(([name, values]) => ({
          series: name,
          values,
        })),
        promql_expr_test: [firing(8, []), firing(firesAt, [alert]), firing(overAt, [])],
      })
    })
  }
})

async function testRules(rules: object, rulesFile = file): Promise<void> {
  await using scratch = await mkdtempDisposable(path.join(tmpdir(), 'wadi-alerts-'))
  const tests = path.join(scratch.path, 'tests.json')
  const suites = { rule_files: [rulesFile], evaluation_interval: '1m', tests: [rules] }
  await writeFile(tests, JSON.stringify(suites))
  await run(goProgramFile(promtoolProgram), ['test', 'rules', tests]).catch(
    (error: Error & { stdout?: string }) => assert.fail(`${error.message}${error.stdout ?? ''}`),
  )
}

test(
  'the alerts of the guide for wadi shadow fire when it differs, stops and has nothing new',
  { skip: missing ?? false },
  async () => {
    const guide = path.join(deployDirectory, '../docs/guides/taking-over-branches.md')
    const [, rules = ''] = /^```yaml\n(groups:\n[^]*?)^```$/m.exec(await readFile(guide, 'utf8')) ?? []
    await using scratch = await mkdtempDisposable(path.join(tmpdir(), 'wadi-alerts-'))
    const rulesFile = path.join(scratch.path, 'rules.yaml')
    await writeFile(rulesFile, rules)
    const firing = (minute: number, ...names: string[]) => ({
      expr: 'count by (alertname) (ALERTS{alertstate="firing"})',
      eval_time: `${minute}m`,
      exp_samples: names.map((name) => ({ labels: `{alertname="${name}"}`, value: 1 })),
    })
    const series = (name: string, values: string) => ({ series: name, values })
    await testRules(
      {
        interval: '1m',
        // Prometheus counts time from 0: a commit of minute 10 is a day old at minute 1450.
        input_series: [
          series('wadi_shadow_applications{outcome="identical"}', '2x1600'),
          series('wadi_shadow_applications{outcome="differs"}', '0x20 1x30 0x1550'),
          series('wadi_shadow_last_comparison_timestamp_seconds', '0+60x100 6000x30 7860+60x1200 _x270'),
          series('wadi_shadow_newest_commit_timestamp_seconds', '0+60x10 600x1590'),
        ],
        promql_expr_test: [
          firing(20),
          firing(45, 'WadiShadowDiffers'),
          firing(75),
          firing(129, 'WadiShadowStopped'),
          firing(200),
          firing(1400, 'WadiShadowStopped'),
          firing(1480, 'WadiShadowNothingNew', 'WadiShadowStopped'),
        ],
      },
      rulesFile,
    )
  },
)

test('each alert has a trouble that it is tested with, a line in the guide, and says what to do', async () => {
  assert.deepEqual(alerts.toSorted(), Object.keys(troubles).toSorted())
  const guide = await readFile(path.join(deployDirectory, '../docs/guides/operating.md'), 'utf8')
  assert.deepEqual(
    [...guide.matchAll(/^\| `(Wadi\w+)`/gm)].map(([, name]) => name),
    alerts,
  )
  const [rule] = readObjects(await renderChart({ set: ['monitoring.alerts=true'] }), 'wadi').filter(
    ({ kind }) => kind === 'PrometheusRule',
  )
  const rules = JSON.stringify(rule?.['spec'])
  for (const part of ['"summary":', '"description":', '"severity":'])
    assert.equal(rules.split(part).length - 1, alerts.length, part)
})
