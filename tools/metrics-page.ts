import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { code, prose, table } from './markdown.ts'
import { sourceFiles } from './source-files.ts'

/** A metric as the code creates it. */
interface Metric {
  /** With the prefix. */
  readonly name: string
  readonly kind: string
  readonly help: string
  readonly labels: readonly string[]
  readonly owner: string
}

/** The chapters of the page by the directory that creates their metrics. */
const owners: Readonly<Record<string, string>> = {
  'libs/telemetry': 'All services',
  'libs/repositories': 'repo-server and commit-server',
  'services/hydrator': 'hydrator',
  'services/repo-server': 'repo-server',
  'services/commit-server': 'commit-server',
  'services/cmp-server': 'cmp-server',
  'services/appset-service': 'appset-service',
  'clients/cli': 'wadi shadow --watch',
}

const creation =
  /\b(counter|gauge|histogram)\(\s*'(\w+)',\s*(?:'([^']*)'|"([^"]*)")(?:,?\s*\)|,\s*\[((?:\s*'\w+',?)*)\s*\]\s*[,)])/g

/** Finds the metrics that the sources of a checkout create: name, help and labels are literals there. */
export async function readMetrics(root: string): Promise<Metric[]> {
  const files = (await sourceFiles(root)).filter((file) =>
    /^(?:libs|services|clients\/cli)\/.*(?<!\.test|-fixture)\.ts$/.test(file),
  )
  const found = await Promise.all(
    files.map(async (file) => metricsOf(file, await readFile(path.join(root, file), 'utf8'))),
  )
  return found.flat()
}

/** Returns the page of metrics, a table for each service. */
export function metricsPage(metrics: readonly Metric[]): string {
  const all = Map.groupBy(metrics, ({ owner }) => owner)
  const tables = Object.values(owners).map((owner) => {
    const rows = (all.get(owner) ?? []).map(({ name, kind, labels, help }) => {
      const by = labels.length === 0 ? '' : ` by ${labels.map(code).join(', ')}`
      return [`${code(name)}<br>${kind}${by}`, prose(help)]
    })
    return `## ${owner}\n\n${table(['Metric', 'Meaning'], rows)}`
  })
  return [introduction, ...tables].join('\n')
}

function metricsOf(file: string, source: string): Metric[] {
  const owner = owners[file.split('/', 2).join('/')]
  const created = [...source.matchAll(creation)]
  if (created.length < [...source.matchAll(/\bmetrics\.(?:counter|gauge|histogram)\(/g)].length)
    throw new InvalidInputError(`${file}: give a metric its name, help and labels as literals, for its page`)
  if (created.length === 0) return []
  if (owner === undefined)
    throw new InvalidInputError(`${file}: no chapter of the page of metrics is for this directory`)
  return created.map(([, kind = '', name = '', single, double, labels = '']) => ({
    name: `wadi_${name}`,
    kind,
    help: single ?? double ?? '',
    labels: labels.match(/\w+/g) ?? [],
    owner,
  }))
}

const introduction = `# Metrics

Each service serves its metrics in the format of Prometheus at \`/metrics\` of the address \`WADI_METRICS_LISTEN\`
([Operating](../guides/operating.md#metrics-and-logs)). Every sample has the label \`service\` besides those in the tables. Durations are in
seconds. The metrics of the process, \`process_…\` and \`nodejs_…\`, come along, counted from the first request on.

\`tools/write-reference.ts\` writes this page from the code that counts.
`
