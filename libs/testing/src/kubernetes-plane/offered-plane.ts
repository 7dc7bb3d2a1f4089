import { existsSync, watch } from 'node:fs'
import { readFile, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { until } from '../until.ts'
import { KubernetesPlane } from './kubernetes-plane.ts'
import { PlaneAccess, type PlaneAddress } from './plane-access.ts'

/** The environment variable with the file by which a run of tests offers a plane to its processes. */
export const planeOfferVariable = 'WADI_TEST_PLANE'

/** The final content of the file. */
type Outcome = PlaneAddress | { readonly error: string }

const wantedFile = (file: string) => `${file}.wanted`

/**
 * Offers a plane to the processes of a run: it is started when the first of them asks for it, and ends with the offer.
 * @param directory of the run alone
 */
export function offerPlane(directory: string): AsyncDisposable & { readonly file: string } {
  const file = path.join(directory, 'plane.json')
  let plane: Promise<KubernetesPlane> | undefined
  const answer = async (outcome: Outcome) => {
    await writeFile(`${file}.new`, JSON.stringify(outcome), { mode: 0o600 })
    await rename(`${file}.new`, file)
  }
  const watcher = watch(directory, { persistent: false }, () => {
    if (plane !== undefined || !existsSync(wantedFile(file))) return
    plane = KubernetesPlane.start()
    plane
      .then(({ server, port, ca, adminToken, kubeconfig }) =>
        answer({ server, port, ca, adminToken, kubeconfig }),
      )
      .catch((error: unknown) => answer({ error: String(error) }))
      .catch((error: unknown) => console.error(error))
  })
  return {
    file,
    [Symbol.asyncDispose]: async () => {
      watcher.close()
      const [started] = await Promise.allSettled([plane])
      if (started.status === 'fulfilled') await started.value?.[Symbol.asyncDispose]()
    },
  }
}

/** The plane that is offered by a file; throws what its start threw. */
export async function planeOfRun(file: string): Promise<PlaneAccess> {
  await writeFile(wantedFile(file), '')
  await until(() => existsSync(file))
  const outcome: Outcome = JSON.parse(await readFile(file, 'utf8'))
  if ('error' in outcome) throw new Error(outcome.error)
  return new PlaneAccess(outcome)
}
