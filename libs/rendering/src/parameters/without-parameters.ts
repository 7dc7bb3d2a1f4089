import { chartArgument } from '../helm/helm-arguments.ts'
import { shellCommand } from '../sandbox/shell-quote.ts'

/** What takes the place of parameters in sources that have none of their own, and where to look for it. */
export function withoutParameters(renderer: 'package' | 'workload', path: string): string {
  const places =
    renderer === 'package'
      ? 'a package takes its values from values.files and zarf-config.yaml'
      : 'a workload takes its values from its spec.params and from supply chains'
  const command = shellCommand(['wadi', 'explain', chartArgument(path)])
  return `${places}: edit them; \`${command}\` tells where each value is`
}
