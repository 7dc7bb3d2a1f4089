import { listOf } from './cluster-namespaces-fixture.ts'
import { readObjects } from './kubernetes-objects-fixture.ts'

/** Has the API server check what was rendered. A warning is an error: of a pod that is not restricted, and of a field that is unknown. */
export async function dryRun(
  kubectl: (args: readonly string[], input: string) => Promise<string>,
  namespace: string,
  rendered: string,
): Promise<void> {
  const flags = [
    '--dry-run=server',
    '--server-side',
    '--warnings-as-errors',
    '--validate=strict',
    '--filename=-',
  ]
  await kubectl(['apply', ...flags], listOf(readObjects(rendered, namespace)))
}
