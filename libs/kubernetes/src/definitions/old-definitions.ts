import { errorMessage } from '@wadi/errors/domain-error.ts'
import { someInLine } from '@wadi/errors/some-of.ts'
import type { KubernetesClient } from '../client/kubernetes-client.ts'
import { storedKind } from '../store/stored-kinds.ts'
import { droppedFields } from './schema-fields.ts'

const maxNames = 5

/** The fields of a kind that Wadi needs, and what to say where the API server drops some. */
interface NeededFields {
  readonly kind: string
  readonly fields: () => Promise<readonly string[]>
  readonly advice: string
}

const needed: readonly NeededFields[] = [
  {
    kind: 'Application',
    fields: async () => ['spec.sourceHydrator'],
    advice:
      "nothing can be hydrated; upgrade Argo CD's definitions to 2.14 or newer, or apply deploy/crds/applications.yaml",
  },
  {
    kind: 'HydratedBranch',
    fields: async () => (await import('./record-fields.json', { with: { type: 'json' } })).default,
    advice:
      'what is recorded of branches is not whole; apply the definition of this version: kubectl apply --server-side --force-conflicts -f deploy/crds/hydratedbranches.yaml',
  },
]

/**
 * Returns a sentence for each definition of a cluster from whose objects the API server drops fields that Wadi needs: `spec.sourceHydrator` with those
 * of an older Argo CD, fields of the records of branches with those of an older Wadi.
 * @param onUnreadable hears of definitions that this account may not read
 */
export async function oldDefinitions(
  client: KubernetesClient,
  onUnreadable: (message: string) => void,
  signal?: AbortSignal,
): Promise<string[]> {
  const found = await Promise.all(
    needed.map(async (each) => {
      try {
        return await oldDefinition(client, each, signal)
      } catch (error) {
        signal?.throwIfAborted()
        onUnreadable(`the definition of ${each.kind} cannot be read: ${errorMessage(error)}`)
        return []
      }
    }),
  )
  return found.flat()
}

async function oldDefinition(
  client: KubernetesClient,
  { kind, fields, advice }: NeededFields,
  signal: AbortSignal | undefined,
): Promise<string[]> {
  const schema = await client.schemaOf(storedKind(kind).resource, signal)
  // A server publishes the schema a while after it serves the kind.
  if (schema?.['properties'] === undefined) return []
  const dropped = droppedFields(schema, await fields())
  if (dropped.length === 0) return []
  const [names, them] = [someInLine(dropped, maxNames), dropped.length === 1 ? 'it' : 'them']
  return [
    `the cluster's definition of ${kind} does not know ${names}, so the API server drops ${them} and ${advice}`,
  ]
}
