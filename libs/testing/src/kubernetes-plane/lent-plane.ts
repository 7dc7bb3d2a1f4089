import assert from 'node:assert/strict'
import { afterAllTests } from '../process-end.ts'
import { KubernetesPlane } from './kubernetes-plane.ts'

let own: Promise<KubernetesPlane> | undefined
let isLent = false

// Here and not where the plane is started: what a hook of a suite registers ends with that suite.
afterAllTests(async () => {
  await (await own)?.[Symbol.asyncDispose]()
})

/**
 * A plane for a test that disturbs it, or needs names that the plane of the run may have: as a new one, and nobody else's until disposal.
 * All of a process are one after the other the same, which starts once.
 */
export async function lendKubernetesPlane(): Promise<{ readonly plane: KubernetesPlane } & AsyncDisposable> {
  assert.ok(!isLent, 'the plane is lent to one test at a time')
  isLent = true
  own ??= KubernetesPlane.start()
  const plane = await own
  return {
    plane,
    [Symbol.asyncDispose]: async () => {
      await plane.renew()
      isLent = false
    },
  }
}
