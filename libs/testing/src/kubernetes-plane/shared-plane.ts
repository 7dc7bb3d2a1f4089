import { afterAllTests } from '../process-end.ts'
import { KubernetesPlane } from './kubernetes-plane.ts'
import { planeOfferVariable, planeOfRun } from './offered-plane.ts'
import type { PlaneAccess } from './plane-access.ts'

let own: Promise<KubernetesPlane> | undefined

// Here and not where the plane is started: what a hook of a suite registers ends with that suite.
afterAllTests(async () => {
  await (await own)?.[Symbol.asyncDispose]()
})

/** The plane that the tests of a run share, or of this process where no run offers one; each test uses a namespace of its own. */
export async function sharedKubernetesPlane(): Promise<PlaneAccess> {
  const offered = process.env[planeOfferVariable]
  if (offered !== undefined) return planeOfRun(offered)
  own ??= KubernetesPlane.start()
  return own
}
