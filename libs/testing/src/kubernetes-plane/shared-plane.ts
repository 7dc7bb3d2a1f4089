import { afterAllTests } from '../process-end.ts'
import { KubernetesPlane } from './kubernetes-plane.ts'

let shared: Promise<KubernetesPlane> | undefined

// Here and not where the plane is started: what a hook of a suite registers ends with that suite.
afterAllTests(async () => {
  await (await shared)?.[Symbol.asyncDispose]()
})

/** The plane that the tests of a process share; each uses a namespace of its own. */
export async function sharedKubernetesPlane(): Promise<KubernetesPlane> {
  shared ??= KubernetesPlane.start()
  return shared
}
