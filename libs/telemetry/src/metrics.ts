import Counter from 'prom-client/lib/counter.js'
import Gauge from 'prom-client/lib/gauge.js'
import Histogram from 'prom-client/lib/histogram.js'
import Registry from 'prom-client/lib/registry.js'

/**
 * The metrics of one service. Each name gets the prefix `wadi_` and each sample the label `service`.
 *
 * Label values come from small fixed sets: method names, codes, outcomes. Repositories, branches, applications, users and
 * messages belong into log lines; as labels they would grow the registry without bound.
 * Durations are in seconds, sizes in bytes, as the Prometheus naming rules ask.
 */
export type MetricsRegistry = {
  counter: <L extends string>(name: string, help: string, labels?: readonly L[]) => Counter<L>
  /** `collect` sets it whenever the metrics are read. */
  gauge: <L extends string>(
    name: string,
    help: string,
    labels?: readonly L[],
    collect?: (gauge: Gauge<L>) => Promise<void>,
  ) => Gauge<L>
  /** `buckets` are upper bounds; default: 5 ms to 60 s. */
  histogram: <L extends string>(
    name: string,
    help: string,
    labels?: readonly L[],
    buckets?: readonly number[],
  ) => Histogram<L>
  /** Duration of handled RPCs by `method` ("package.Service/Method") and `code` ("ok", "not_found", …). */
  rpcDuration: Histogram<'method' | 'code'>
  /** MIME type of `expose()`. */
  contentType: string
  /** Writes all samples in the Prometheus text format, with those of the process, which are counted from the first call on. */
  expose: () => Promise<string>
}

const secondsBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]

/** Creates the registry of one service. The metrics of the process (memory, event loop, …) are added when somebody reads it. */
export function createMetrics(service: string): MetricsRegistry {
  const registry = new Registry()
  registry.setDefaultLabels({ service })
  let ofProcess: Promise<void> | undefined
  const described = <L extends string>(name: string, help: string, labels: readonly L[]) => ({
    name: `wadi_${name}`,
    help,
    labelNames: labels,
    registers: [registry],
  })
  const histogram: MetricsRegistry['histogram'] = (name, help, labels = [], buckets = secondsBuckets) =>
    new Histogram({ ...described(name, help, labels), buckets: [...buckets] })
  const gauge: MetricsRegistry['gauge'] = (name, help, labels = [], collect = async () => undefined) => {
    const made: Gauge<(typeof labels)[number]> = new Gauge({
      ...described(name, help, labels),
      collect: () => collect(made),
    })
    return made
  }
  return {
    counter: (name, help, labels = []) => new Counter(described(name, help, labels)),
    gauge,
    histogram,
    rpcDuration: histogram('rpc_duration_seconds', 'Duration of handled RPCs in seconds.', [
      'method',
      'code',
    ]),
    contentType: registry.contentType,
    expose: async () => {
      await (ofProcess ??= addProcessMetrics(registry))
      return registry.metrics()
    },
  }
}

async function addProcessMetrics(registry: Registry): Promise<void> {
  const { collectDefaultMetrics } = await import('prom-client')
  collectDefaultMetrics({ register: registry })
}
