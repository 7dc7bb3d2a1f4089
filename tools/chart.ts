import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { findTools } from '@wadi/renderer-tools/find-tools.ts'
import { toolCache } from '@wadi/testing/tool-cache.ts'

/** The directory of what is installed: chart, kustomizations, definitions. */
export const deployDirectory = path.resolve(import.meta.dirname, '../deploy')

const chart = path.join(deployDirectory, 'helm/wadi')
const run = promisify(execFile)
const maxOutputBytes = 16 * 1024 * 1024

/** Options of rendering the chart. */
export interface ChartOptions {
  /** Of the release; `wadi` by default. */
  readonly namespace?: string
  /** Files beside the chart's values.yaml whose values take precedence, such as `values-small.yaml`. */
  readonly valueFiles?: readonly string[]
  /** Values as `--set` takes them. */
  readonly set?: readonly string[]
  /** Kinds of the cluster besides those of Kubernetes, such as `keda.sh/v1alpha1/ScaledObject`. */
  readonly apiVersions?: readonly string[]
  /** True to render Argo CD's kinds too, as `helm install` installs them where they are missing; false by default. */
  readonly includeCrds?: boolean
  /** A kubeconfig, to render as for its cluster; without one, as Helm does where there is none. */
  readonly kubeconfig?: string
}

/** Renders of the chart, by their options: tests read the same shapes for many reasons. */
const rendered = new Map<string, Promise<string>>()

/** Returns the YAML of the chart with the Helm of this machine; with secrets that exist already, so that nothing is random. */
export function renderChart(options: ChartOptions = {}): Promise<string> {
  const key = JSON.stringify(options)
  const text = rendered.get(key) ?? helmTemplate(options)
  rendered.set(key, text)
  return text
}

/**
 * Runs `helm lint --strict` over the chart with values; throws what it finds.
 * @internal
 */
export async function lintChart(
  options: Pick<ChartOptions, 'namespace' | 'valueFiles' | 'set'>,
): Promise<void> {
  await runHelm(['lint', '--strict', chart, ...valueFlags(options)])
}

async function helmTemplate(options: ChartOptions): Promise<string> {
  const { apiVersions = [], includeCrds = false, kubeconfig } = options
  return runHelm([
    'template',
    'wadi',
    chart,
    ...valueFlags(options),
    ...apiVersions.flatMap((version) => ['--api-versions', version]),
    ...(includeCrds ? ['--include-crds'] : []),
    ...(kubeconfig === undefined ? [] : ['--dry-run=server', '--kubeconfig', kubeconfig]),
  ])
}

function valueFlags({ namespace = 'wadi', valueFiles = [], set = [] }: ChartOptions): string[] {
  const values = ['secrets.existing=wadi-secrets', ...set].flatMap((value) => ['--set', value])
  const files = valueFiles.flatMap((file) => ['--values', path.join(chart, file)])
  return ['--namespace', namespace, ...files, ...values]
}

async function runHelm(args: readonly string[]): Promise<string> {
  const [helm = '', ...before] = (await findTools({ cacheDirectory: toolCache })).helm.command
  const { stdout } = await run(helm, [...before, ...args], { maxBuffer: maxOutputBytes })
  return stdout
}
