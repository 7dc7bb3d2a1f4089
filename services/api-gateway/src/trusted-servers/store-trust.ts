import { AlreadyExistsError } from '@wadi/errors/domain-error.ts'
import { checkTrust } from '@wadi/repositories/server-trust.ts'
import { controlPlaneNamespace } from '@wadi/resources/control-plane-namespace.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import { mutate } from '@wadi/resources/store/resource-store.ts'
import { storeObject, type StoreOptions, type StoreOutcome } from '../applications/store-application.ts'
import type { GatewayContext } from '../context.ts'
import { notifyHydrator } from '../repositories/notify-hydrator.ts'

type Entries = Readonly<Record<string, string>>

/** Stores which servers are trusted, and hands it to the services that connect to them; those of a cluster read it there. */
export async function storeTrust(
  context: GatewayContext,
  signal: AbortSignal,
  wanted: Resource,
  options: StoreOptions,
): Promise<StoreOutcome> {
  checkTrust(wanted)
  const outcome = await storeObject(context, wanted, options)
  if (!options.dryRun) await handOn(context, signal, wanted)
  return outcome
}

/** Returns the entries of a ConfigMap that says which servers are trusted; none where it is missing. */
export async function storedTrust({ store }: Pick<GatewayContext, 'store'>, name: string): Promise<Entries> {
  return (await store.get('ConfigMap', controlPlaneNamespace, name))?.data ?? {}
}

/**
 * Changes a ConfigMap that says which servers are trusted as it is now: when somebody else was faster, it is read and changed again.
 * @param change returns the new entries; undefined to leave them alone
 */
export async function changeTrust(
  context: GatewayContext,
  signal: AbortSignal,
  name: string,
  change: (entries: Entries) => Entries | undefined,
): Promise<void> {
  const { store } = context
  const metadata = { name, namespace: controlPlaneNamespace }
  if (!(await store.get('ConfigMap', metadata.namespace, name))) {
    try {
      await store.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata, data: {} })
    } catch (error) {
      if (!(error instanceof AlreadyExistsError)) throw error
    }
  }
  const stored = await mutate(store, 'ConfigMap', metadata.namespace, name, (current) => {
    const data = change(current.data ?? {})
    if (!data) return undefined
    const next = { ...current, data: { ...data } }
    checkTrust(next)
    return next
  })
  await handOn(context, signal, stored)
}

async function handOn(context: GatewayContext, signal: AbortSignal, stored: Resource): Promise<void> {
  const request = { configMapJson: JSON.stringify(stored) }
  await Promise.all(
    [context.repoServer, context.commitServer].map((service) => service.putServerTrust(request, { signal })),
  )
  await notifyHydrator(context)
}
